import type { EntryShape } from "./entry-shape.ts";

/** How an export is written, all of it in whole lines. */
export interface EntryFormat {
  readonly head: string;
  line(entry: EntryShape): string;
}

const columns = ["sequence", "at", "account", "kind", "amount", "reference", "reason"] as const;

/** The formats of an export, by their names. */
export const entryFormats: Readonly<Record<"csv" | "jsonl", EntryFormat>> = {
  csv: {
    head: `${columns.join(",")}\r\n`,
    line: (entry) => `${columns.map((name) => cell(name, entry[name] ?? "")).join(",")}\r\n`,
  },
  jsonl: { head: "", line: (entry) => `${JSON.stringify(entry)}\n` },
};

/** What customers and hosts may have written; an amount may begin with a minus. */
const free: ReadonlySet<string> = new Set(["account", "reference", "reason"]);

/**
 * A cell of RFC 4180. A spreadsheet would run free text that begins like a formula, so an apostrophe is put before it,
 * as OWASP's page on CSV injection advises; JSON lines keep the text as it is.
 */
function cell(name: string, text: string): string {
  const harmless = free.has(name) && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
