import { paidLeft, returnToLots, roomForLots, takeFromLots } from "../money/lots.ts";
import type { Credit, Debit, PostingResult, Refund, RefundResult } from "../ports/balance-store.ts";
import { type CheckedDebit, checkedCredit, checkedDebit, checkedRefund, makesLot } from "../ports/check-arguments.ts";
import { balanceOf, type MemoryAccount } from "./memory-accounts.ts";
import type { LedgerEntry } from "./memory-entries.ts";
import { type MemoryLedger, newLot } from "./memory-ledger.ts";
import type { MemoryNotices } from "./memory-notices.ts";
import { RecentMap } from "./recent-map.ts";

type CheckedPosting = Pick<CheckedDebit, "id" | "account" | "amount" | "reason">;

/** A posting that was made, by which a repeated call is recognized. */
interface KnownPosting {
  readonly content: string;
  /** What was posted, in nano-units. */
  readonly amount: bigint;
}

/** The credits, debits and refunds of a memory balance store. */
export class MemoryPostings {
  readonly #ledger: MemoryLedger;
  readonly #notices: MemoryNotices;
  readonly #known: RecentMap<KnownPosting>;

  constructor(ledger: MemoryLedger, notices: MemoryNotices, keepEnded: number) {
    this.#ledger = ledger;
    this.#notices = notices;
    this.#known = new RecentMap(keepEnded, () => false);
  }

  credit(posting: Credit): PostingResult {
    const checked = checkedCredit(posting);
    const { id, amount, reason, kind, expiresAt } = checked;
    return this.#once("credit", checked, [kind, expiresAt], (account) => {
      const lots = makesLot(checked) ? newLot(account, { id, kind, expiresAt }, amount) : undefined;
      this.#ledger.add(account, { ...this.#ledger.blank(), kind: "credit", amount, reference: id, reason, lots });
      const until = expiresAt === undefined ? {} : { expiresAt };
      this.#notices.tell(account.id, { type: "balance.credited", amount, kind, reason, ...until });
      return amount;
    });
  }

  debit(posting: Debit): PostingResult {
    const checked = checkedDebit(posting);
    const { id, reason, from } = checked;
    return this.#once("debit", checked, [from], (account) => {
      const all = account.lots ?? [];
      const lots = from === undefined ? all : all.filter(({ kind }) => kind === "paid");
      const amount = from === undefined ? checked.amount : atMost(checked.amount, paidLeft(account.posted, all));
      this.#ledger.add(account, {
        ...this.#ledger.blank(),
        kind: "debit",
        amount: -amount,
        reference: id,
        reason,
        lots: orNone(takeFromLots(lots, amount)),
        isOfPaid: from === "paid",
      });
      return amount;
    });
  }

  refund(refund: Refund): RefundResult {
    const { account: id, sequence, amount, reason } = checkedRefund(refund);
    const now = Date.now();
    const account = this.#ledger.current(id, now);
    const charge = account?.entries.find((entry) => BigInt(entry.sequence) === sequence && entry.amount < 0n);
    if (account === undefined || charge?.hold === undefined) return unknown;
    const before = returnedLate(account, charge);
    const left = -charge.amount - before;
    const wanted = amount ?? left;
    const earlier = refundOf(account, charge);
    if (earlier > 0n) {
      return earlier === wanted ? { outcome: "repeated", balance: balanceOf(account), amount: wanted } : conflict;
    }
    if (wanted > left || wanted === 0n) return conflict;
    this.#returnCharge(account, charge, { amount: wanted, before, reason, now });
    this.#notices.tell(id, { type: "charge.refunded", amount: wanted, sequence, reason });
    return { outcome: "posted", balance: balanceOf(account), amount: wanted };
  }

  #returnCharge(
    account: MemoryAccount,
    charge: LedgerEntry,
    { amount, before, reason, now }: { amount: bigint; before: bigint; reason: string; now: number },
  ): void {
    const { hold } = charge;
    // Those of windows that have ended are found no more. The cap of a token is not raised.
    for (const counter of hold?.counters ?? []) {
      if (counter.scope === "token") continue;
      counter.spent -= amount;
      counter.charged -= amount;
    }
    const lots = lotsOfReturn(account, charge, { amount, before, now, by: "refund" });
    this.#ledger.add(account, {
      ...this.#ledger.blank(),
      kind: "refund",
      amount,
      reference: String(charge.sequence),
      reason,
      lots,
      keyId: charge.keyId,
    });
  }

  /** Runs a posting unless one with its id exists. `others` are the members of its content besides those of every posting. */
  #once(
    verb: "credit" | "debit",
    { id, account: accountId, amount, reason }: CheckedPosting,
    others: readonly unknown[],
    post: (account: MemoryAccount) => bigint,
  ): PostingResult {
    const content = JSON.stringify([verb, accountId, String(amount), reason, ...others]);
    const known = this.#known.get(id);
    if (known !== undefined && known.content !== content) return conflict;
    const account = this.#ledger.current(accountId, Date.now()) ?? this.#ledger.accounts.open(accountId);
    if (known !== undefined) return { outcome: "repeated", balance: balanceOf(account), amount: known.amount };
    const posted = post(account);
    this.#known.close(id, { content, amount: posted });
    return { outcome: "posted", balance: balanceOf(account), amount: posted };
  }
}

const conflict = Object.freeze({ outcome: "conflict" } as const);
const unknown = Object.freeze({ outcome: "unknown" } as const);

const atMost = (amount: bigint, most: bigint): bigint => (amount < most ? amount : most);

/** Returns undefined for an empty list, as an entry without lots has it. */
export const orNone = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items;

/** Returns what each lot receives of a return, as an entry names it. */
export function lotsOfReturn(
  { posted, lots = [] }: MemoryAccount,
  charge: LedgerEntry,
  back: { readonly amount: bigint; readonly before: bigint; readonly now: number; readonly by: "refund" | "late" },
): LedgerEntry["lots"] {
  if (charge.lots === undefined) return undefined;
  const { amount } = charge;
  const taken = { sequence: BigInt(charge.sequence), amount, lots: charge.lots };
  return orNone(returnToLots({ ...back, charge: taken, room: roomForLots(posted + back.amount, lots) }));
}

/** Returns what was refunded of a charge, in nano-units. */
export function refundOf({ entries }: MemoryAccount, { sequence }: LedgerEntry): bigint {
  const reference = String(sequence);
  return entries.find((entry) => entry.kind === "refund" && entry.reference === reference)?.amount ?? 0n;
}

/** Returns what a late settlement returned of an expiry, in nano-units. */
function returnedLate({ entries }: MemoryAccount, { kind, reference }: LedgerEntry): bigint {
  if (kind !== "expiry") return 0n;
  const late = entries.find((entry) => entry.kind === "late" && entry.reference === reference);
  return late !== undefined && late.amount > 0n ? late.amount : 0n;
}
