import type { Entry, EntryKind, EntryPage, EntryQuery } from "../ports/balance-store.ts";
import type { ChargeReceipt, HoldReceipt, Receipt } from "../ports/receipt.ts";
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
  /** Of a posting. */
  readonly reason: string | undefined;
  /** The hold that a charge ends. */
  readonly hold: { readonly receipt: HoldReceipt; readonly keyId: string } | undefined;
  readonly charge: ChargeReceipt | undefined;
}

/** Returns a page of the entries of an account, which are given oldest first. */
export function entriesPage(account: string, all: readonly LedgerEntry[], query: EntryQuery): EntryPage {
  const ordered = query.newestFirst === true ? all.toReversed() : all;
  const rest = ordered.filter((entry) => isSelected(entry, query));
  const entries = rest.slice(0, query.limit).map((entry) => toEntry(account, entry));
  return { entries, ...nextOf(entries, rest.length, ({ sequence }) => sequence) };
}

function isSelected({ sequence, reference, kind, at }: LedgerEntry, query: EntryQuery): boolean {
  const { after } = query;
  return (
    (after === undefined || (query.newestFirst === true ? sequence < after : sequence > after)) &&
    (query.reference === undefined || reference === query.reference) &&
    (query.kind === undefined || kind === query.kind) &&
    (query.from === undefined || at >= query.from.getTime()) &&
    (query.to === undefined || at < query.to.getTime())
  );
}

/** The copy of a receipt is deep, since a caller can change it. */
function toEntry(account: string, entry: LedgerEntry): Entry {
  const { sequence, kind, amount, reference, at, reason, hold, charge } = entry;
  return {
    sequence: BigInt(sequence),
    account,
    kind,
    amount,
    reference,
    ...(reason === undefined ? {} : { reason }),
    ...(hold === undefined ? {} : { receipt: structuredClone(receiptOf(hold, charge)) }),
    at: new Date(at),
  };
}

function receiptOf({ receipt, keyId }: NonNullable<LedgerEntry["hold"]>, charge: ChargeReceipt | undefined): Receipt {
  return charge === undefined ? { ...receipt, keyId } : { ...receipt, keyId, charge };
}
