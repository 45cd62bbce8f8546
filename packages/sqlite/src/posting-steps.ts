import {
  type Balance,
  type CheckedCredit,
  type CheckedDebit,
  type CheckedRefund,
  type Entry,
  emptyBalance,
  makesLot,
  type PostingResult,
  paidLeft,
  type RefundResult,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Holds } from "./holds.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLot } from "./lots.ts";
import type { Notices } from "./notices.ts";
import { type PaidDebit, PaidDebits } from "./paid-debits.ts";

/** The steps of credits, debits and refunds. Each runs in a transaction of the caller. */
export class PostingSteps {
  readonly #holds: Holds;
  readonly #ledger: Ledger;
  readonly #notices: Notices;
  readonly #paidDebits: PaidDebits;

  constructor(connection: Connection, ledger: Ledger, holds: Holds, notices: Notices) {
    this.#holds = holds;
    this.#ledger = ledger;
    this.#notices = notices;
    this.#paidDebits = new PaidDebits(connection);
  }

  credit(credit: CheckedCredit): PostingResult {
    const { id, account, amount, reason, kind, expiresAt } = credit;
    const known = this.#known(id);
    if (known !== undefined) return this.#repeat(known, this.#isSameCredit(known, credit), account);
    this.#ledger.accounts.open(account);
    const lot = makesLot(credit) ? lotOf(credit) : undefined;
    const balance = this.#ledger.post({ account, kind: "credit", amount, released: 0n, reference: id, reason, lot });
    const until = expiresAt === undefined ? {} : { expiresAt };
    this.#notices.tell(account, { type: "balance.credited", amount, kind, reason, ...until });
    return { outcome: "posted", balance, amount };
  }

  debit(debit: CheckedDebit): PostingResult {
    const { id, account, amount, reason, from } = debit;
    const known = this.#known(id);
    if (known !== undefined) return this.#repeat(known, isSameDebit(known, debit), account);
    if (from === "paid") return this.#debitPaid(debit);
    this.#ledger.accounts.open(account);
    const balance = this.#ledger.post({ account, kind: "debit", amount: -amount, released: 0n, reference: id, reason });
    return { outcome: "posted", balance, amount };
  }

  refund({ account, sequence, amount, reason }: CheckedRefund): RefundResult {
    const { entries, spend } = this.#ledger;
    const charge = entries.find(account, sequence);
    const hold = charge !== undefined && isCharge(charge) ? this.#holds.find(charge.reference) : undefined;
    if (charge === undefined || hold === undefined) return { outcome: "unknown" };
    const before = charge.kind === "expiry" ? this.#returnedLate(hold.id) : 0n;
    const left = -charge.amount - before;
    const refunded = amount ?? left;
    const reference = String(sequence);
    const known = entries.causedBy(reference, "refund");
    if (known !== undefined) {
      if (known.amount !== refunded) return conflict;
      return { outcome: "repeated", balance: this.#balance(account), amount: refunded };
    }
    if (refunded > left || refunded === 0n) return conflict;
    spend.refund(hold.countedIn, refunded);
    const balance = this.#ledger.post({
      account,
      kind: "refund",
      amount: refunded,
      released: 0n,
      reference,
      reason,
      receipt: { key_id: hold.keyId },
      returns: { charge, before, by: "refund" },
    });
    this.#notices.tell(account, { type: "charge.refunded", amount: refunded, sequence, reason });
    return { outcome: "posted", balance, amount: refunded };
  }

  /** Returns what a late settlement has returned of the charge of an expired hold. */
  #returnedLate(holdId: string): bigint {
    const late = this.#ledger.entries.causedBy(holdId, "late")?.amount ?? 0n;
    return late > 0n ? late : 0n;
  }

  #debitPaid({ id, account, amount: asked, reason }: CheckedDebit): PostingResult {
    const before = this.#balance(account);
    const left = paidLeft(before.posted, this.#ledger.lots.open(account));
    const amount = asked < left ? asked : left;
    this.#paidDebits.add({ id, account, amount: asked, reason });
    if (amount === 0n) return { outcome: "posted", balance: before, amount };
    const movement = { account, kind: "debit", amount: -amount, released: 0n, reference: id, reason } as const;
    return { outcome: "posted", balance: this.#ledger.post({ ...movement, from: "paid" }), amount };
  }

  #known(id: string): KnownPosting | undefined {
    const entry = this.#ledger.entries.posting(id);
    const paidDebit = entry === undefined || entry.kind === "debit" ? this.#paidDebits.find(id) : undefined;
    return entry === undefined && paidDebit === undefined ? undefined : { entry, paidDebit };
  }

  #isSameCredit({ entry }: KnownPosting, credit: CheckedCredit): boolean {
    if (entry?.kind !== "credit" || !isSamePosting(entry, credit) || entry.amount !== credit.amount) return false;
    const lot = this.#ledger.lots.find(credit.account, credit.id);
    return (lot?.kind ?? "paid") === credit.kind && lot?.expiresAt?.getTime() === credit.expiresAt?.getTime();
  }

  #repeat({ entry }: KnownPosting, isSame: boolean, account: string): PostingResult {
    if (!isSame) return conflict;
    const amount = entry?.amount ?? 0n;
    return { outcome: "repeated", balance: this.#balance(account), amount: amount < 0n ? -amount : amount };
  }

  #balance(account: string): Balance {
    return this.#ledger.current(account)?.account.balance ?? emptyBalance;
  }
}

/** A posting with an id. `entry` is absent if it was a debit of paid money that found none. */
interface KnownPosting {
  readonly entry: Entry | undefined;
  readonly paidDebit: PaidDebit | undefined;
}

const lotOf = ({ id, kind, expiresAt }: CheckedCredit): NewLot => ({
  lot: id,
  kind,
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

function isSameDebit({ entry, paidDebit }: KnownPosting, debit: CheckedDebit): boolean {
  if (debit.from === "paid") return paidDebit?.amount === debit.amount && isSamePosting(paidDebit, debit);
  return paidDebit === undefined && entry?.amount === -debit.amount && isSamePosting(entry, debit);
}

const isSamePosting = (known: { readonly account: string; readonly reason?: string }, posting: CheckedDebit): boolean =>
  known.account === posting.account && known.reason === posting.reason;

const chargeKinds: readonly Entry["kind"][] = ["charge", "expiry", "late"];

const isCharge = ({ kind, amount }: Entry): boolean => amount < 0n && chargeKinds.includes(kind);

const conflict = Object.freeze({ outcome: "conflict" } as const);
