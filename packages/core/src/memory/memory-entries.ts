import type { Entry, EntryKind, EntryPage, EntryQuery, LotShare } from "../ports/ledger-entry.ts";
import type { ChargeReceipt, HoldReceipt, Receipt } from "../ports/receipt.ts";
import type { SpendCounter } from "./memory-spend.ts";
import { nextOf } from "./pages.ts";

/**
 * An entry as the ledger keeps it. Each request adds one that is rarely read, so its parts are put together only then: one
 * flat object costs the garbage collector the least.
 */
export interface LedgerEntry {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly amount: bigint;
  readonly reference: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Of a posting or refund. */
  readonly reason: string | undefined;
  /** The hold that a charge ends. */
  readonly hold: EndedHold | undefined;
  readonly charge: ChargeReceipt | undefined;
  readonly lots: readonly LotShare[] | undefined;
  /** The key for which a charge or refund counts. */
  readonly keyId: string | undefined;
  /** True for a debit of paid money. */
  readonly isOfPaid: boolean;
}

/** What entries add to the totals of their account and its keys, in nano-units. */
export interface EntryTotals {
  readonly credited: bigint;
  readonly used: bigint;
  readonly usedByKey: ReadonlyMap<string, bigint>;
}

/** The totals of no entries. */
export const noTotals: EntryTotals = Object.freeze({ credited: 0n, used: 0n, usedByKey: new Map() });

/** What a charge has of its hold. */
interface EndedHold {
  receipt: HoldReceipt;
  readonly keyId: string | undefined;
  readonly counters: readonly SpendCounter[];
}

/** True for the kinds of entries that are charges, or change one. */
export const isUse = (kind: EntryKind): boolean =>
  kind === "charge" || kind === "expiry" || kind === "late" || kind === "refund";

/** Returns the sum of the entries, in nano-units. */
export const sumOf = (entries: readonly LedgerEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);

/** Returns what an entry adds to what was credited, in nano-units. */
export const creditedBy = ({ kind, amount, isOfPaid }: Pick<LedgerEntry, "kind" | "amount" | "isOfPaid">): bigint =>
  kind === "credit" || isOfPaid ? amount : 0n;

/** Returns the totals after some entries. */
export function addTotals(before: EntryTotals, entries: readonly LedgerEntry[]): EntryTotals {
  let { credited, used } = before;
  const usedByKey = new Map(before.usedByKey);
  for (const entry of entries) {
    const { kind, amount, keyId } = entry;
    credited += creditedBy(entry);
    if (isUse(kind)) used -= amount;
    if (keyId !== undefined) usedByKey.set(keyId, (usedByKey.get(keyId) ?? 0n) - amount);
  }
  return { credited, used, usedByKey };
}

/** Returns what the entries leave of each lot, by its id. */
export function restsOf(entries: readonly LedgerEntry[]): ReadonlyMap<string, LotShare> {
  const rests = new Map<string, LotShare>();
  for (const { amount, lots = [] } of entries) {
    for (const share of lots) {
      const before = rests.get(share.lot)?.amount ?? 0n;
      const rest = amount > 0n ? before + share.amount : before - share.amount;
      if (rest === 0n) rests.delete(share.lot);
      else rests.set(share.lot, { ...share, amount: rest });
    }
  }
  return rests;
}

/** Returns a page of the entries of an account, which are given oldest first. */
export function entriesPage(account: string, all: readonly LedgerEntry[], query: EntryQuery): EntryPage {
  const ordered = query.newestFirst === true ? all.toReversed() : all;
  const rest = ordered.filter((entry) => isSelected(entry, query));
  const entries = rest.slice(0, query.limit).map((entry) => toEntry(account, entry));
  return { entries, ...nextOf(entries, rest.length, ({ sequence }) => sequence) };
}

function isSelected({ sequence, reference, kind, at, charge }: LedgerEntry, query: EntryQuery): boolean {
  const { after } = query;
  return (
    (after === undefined || (query.newestFirst === true ? sequence < after : sequence > after)) &&
    (query.reference === undefined || reference === query.reference) &&
    (query.answerId === undefined || charge?.answerId === query.answerId) &&
    (query.kind === undefined || kind === query.kind) &&
    (query.from === undefined || at >= query.from.getTime()) &&
    (query.to === undefined || at < query.to.getTime())
  );
}

/** The copies of a receipt and of lots are deep, since a caller can change them. */
function toEntry(account: string, entry: LedgerEntry): Entry {
  const { sequence, kind, amount, reference, at, reason, hold, charge, lots } = entry;
  return {
    sequence: BigInt(sequence),
    account,
    kind,
    amount,
    reference,
    ...(reason === undefined ? {} : { reason }),
    ...(hold === undefined ? {} : { receipt: structuredClone(receiptOf(hold, charge)) }),
    ...(lots === undefined ? {} : { lots: structuredClone(lots) }),
    at: new Date(at),
  };
}

function receiptOf({ receipt, keyId }: EndedHold, charge: ChargeReceipt | undefined): Receipt {
  return {
    ...receipt,
    ...(keyId === undefined ? {} : { keyId }),
    ...(charge === undefined ? {} : { charge }),
  };
}
