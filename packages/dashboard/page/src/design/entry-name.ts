import type { LedgerEntry } from "../api/accounts.ts";

/** The words of the kinds of entries. */
const names: Readonly<Record<string, string>> = {
  charge: "Charge",
  credit: "Credit",
  debit: "Debit",
  expiry: "Expired hold",
  late: "Late charge",
};

/** Names the kind of a ledger entry. */
export const entryName = ({ kind }: LedgerEntry): string => names[kind] ?? kind;
