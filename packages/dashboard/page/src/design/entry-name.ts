import type { LedgerEntry } from "../api/accounts.ts";

/** The words of the kinds of entries. */
export const entryNames: Readonly<Record<string, string>> = {
  charge: "Charge",
  credit: "Credit",
  debit: "Debit",
  expiry: "Expired hold",
  late: "Late charge",
};

/** Names the kind of a ledger entry. */
export const entryName = ({ kind }: LedgerEntry): string => entryNames[kind] ?? kind;
