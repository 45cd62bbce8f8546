import {
  amountToLapse,
  type Balance,
  type Entry,
  type EntryKind,
  grantAt,
  type HoldRequest,
  type Lot,
  type MoneyKind,
  shareOf,
  takeFromLots,
} from "@tollgate/core/store";
import { type LotMutations, lotsOf, shareOfCredit, sharesOfReturn, sumOf } from "./mutant-lots.ts";

/** An amount to credit, and the lot that it makes, if it has a kind. */
interface NewLot {
  readonly amount: bigint;
  readonly kind?: MoneyKind;
  readonly expiresAt?: Date | undefined;
}

/** The entries of a mutant store, from which all else follows. */
export class MutantEntries {
  readonly all: Entry[] = [];
  readonly #mutations: LotMutations;
  readonly #heldOf: (account: string) => bigint;

  constructor(mutations: LotMutations, heldOf: (account: string) => bigint) {
    this.#mutations = mutations;
    this.#heldOf = heldOf;
  }

  credit(account: string, id: string, reason: string, { amount, kind, expiresAt }: NewLot): void {
    const lot = kind && { id, kind, expiresAt };
    const lots = lot ? shareOfCredit(lot, amount, this.balance(account), this.#mutations) : [];
    this.write("credit", account, amount, id, { reason, lots });
  }

  charge(kind: EntryKind, account: string, cost: bigint, id: string, explained: Pick<Entry, "receipt">): void {
    if (cost >= 0n)
      this.write(kind, account, -cost, id, { ...explained, lots: takeFromLots(this.lots(account), cost) });
    else this.#returnLate(account, -cost, id, explained);
  }

  #returnLate(account: string, amount: bigint, id: string, explained: Pick<Entry, "receipt">): void {
    const expiry = this.entriesOf(account).find(({ kind, reference }) => kind === "expiry" && reference === id);
    if (expiry === undefined) return;
    const refunded = this.#mutations.lateIgnoresRefund ? 0n : (this.refundOf(expiry) ?? 0n);
    const left = -expiry.amount - refunded;
    this.returnCharge("late", expiry, amount < left ? amount : left, refunded, id, explained);
  }

  returnCharge(
    by: "refund" | "late",
    charge: Entry,
    amount: bigint,
    before: bigint,
    reference: string,
    cause: Pick<Entry, "reason" | "receipt">,
  ): void {
    const { account } = charge;
    const lots = this.lots(account);
    const shares = sharesOfReturn({ charge, amount, before, by }, this.balance(account).posted, lots, this.#mutations);
    this.write(by, account, amount, reference, { ...cause, lots: shares });
  }

  refundOf({ account, sequence }: Entry): bigint | undefined {
    const reference = String(sequence);
    return this.entriesOf(account).find((entry) => entry.kind === "refund" && entry.reference === reference)?.amount;
  }

  returnedLate({ account, kind, reference }: Entry): bigint {
    const late = this.entriesOf(account).find((entry) => entry.kind === "late" && entry.reference === reference);
    return kind === "expiry" && late !== undefined && late.amount > 0n ? late.amount : 0n;
  }

  dueGrant({ account, allowance }: Pick<HoldRequest, "account" | "allowance">) {
    if (allowance === undefined) return undefined;
    const { lot, expiresAt } = grantAt(allowance, Date.now());
    const grants = this.entriesOf(account).filter(({ reference }) => reference.startsWith("allowance:"));
    const known = this.#mutations.allowanceOfLastWindow ? grants.slice(-1) : grants;
    if (known.some(({ reference }) => reference === lot) && !this.#mutations.allowanceOfEachHold) return undefined;
    return { lot, kind: "granted" as const, amount: allowance.amount, expiresAt: new Date(expiresAt) };
  }

  /** Lets expire what is due. What a hold has kept of a lot expires at the first call after its end. */
  lapse(account: string): void {
    if (this.#mutations.lapseMissing) return;
    for (const lot of this.lots(account)) {
      if (lot.expiresAt === undefined || lot.expiresAt.getTime() > Date.now()) continue;
      const { posted, held } = this.balance(account);
      const amount = this.#mutations.holdsIgnored ? lot.rest : amountToLapse(lot, posted, held);
      this.write("lapse", account, -amount, lot.id, { lots: [shareOf(lot, amount)] });
    }
  }

  readonly lots = (account: string): readonly Lot[] => lotsOf(this.entriesOf(account), this.#mutations);

  readonly entriesOf = (account: string): readonly Entry[] => this.all.filter((entry) => entry.account === account);

  balance(account: string): Balance {
    const posted = sumOf(this.entriesOf(account));
    const held = this.#heldOf(account);
    return { posted, held, available: posted - held };
  }

  write(
    kind: EntryKind,
    account: string,
    amount: bigint,
    reference: string,
    { lots = [], ...cause }: Pick<Entry, "reason" | "receipt" | "lots">,
  ): void {
    if (amount === 0n) return;
    const sequence = BigInt(this.all.length + 1);
    const named = lots.length === 0 ? {} : { lots };
    this.all.push({ sequence, account, kind, amount, reference, ...cause, ...named, at: new Date() });
  }
}
