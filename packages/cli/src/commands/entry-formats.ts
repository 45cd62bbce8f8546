import { csvLine } from "@tollgate/core/internal";
import { camelCase, listEntries, type ShownEntry } from "@tollgate/management/operations";

/** An entry of an export, which can be that of several accounts. */
export type ExportedEntry = { readonly account: string } & Omit<ShownEntry, "receipt"> & Partial<ShownEntry>;

/** The format of an export, which consists of complete lines. */
export interface EntryFormat {
  readonly head: string;
  line(entry: ExportedEntry): string;
}

const ofEntry = camelCase(listEntries.item);

/** An entry in the output of --json and JSON lines. */
export const entryShape = (entry: ExportedEntry): object => ({ ...ofEntry(entry), account: entry.account });

// A receipt has too many members for a row. JSON lines contain it.
const columns = ["sequence", "at", "account", "kind", "amount", "reference", "reason"] as const;

/** The formats of an export by name. */
export const entryFormats: Readonly<Record<"csv" | "jsonl", EntryFormat>> = {
  csv: {
    head: csvLine(columns),
    line: (entry) => csvLine(columns.map((name) => entry[name])),
  },
  jsonl: { head: "", line: (entry) => `${JSON.stringify(entryShape(entry))}\n` },
};
