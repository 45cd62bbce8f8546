import { csvLine } from "@tollgate/core/internal";
import type { EntryShape } from "./entry-shape.ts";

/** The format of an export, which consists of complete lines. */
export interface EntryFormat {
  readonly head: string;
  line(entry: EntryShape): string;
}

// A receipt has too many members for a row. JSON lines contain it.
const columns = ["sequence", "at", "account", "kind", "amount", "reference", "reason"] as const;

/** The formats of an export by name. */
export const entryFormats: Readonly<Record<"csv" | "jsonl", EntryFormat>> = {
  csv: {
    head: csvLine(columns),
    line: (entry) => csvLine(columns.map((name) => entry[name])),
  },
  jsonl: { head: "", line: (entry) => `${JSON.stringify(entry)}\n` },
};
