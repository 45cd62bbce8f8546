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
    head: `${columns.join(",")}\r\n`,
    line: (entry) => `${columns.map((name) => cell(name, entry[name] ?? "")).join(",")}\r\n`,
  },
  jsonl: { head: "", line: (entry) => `${JSON.stringify(entry)}\n` },
};

/** The columns with free text. An amount may begin with a minus. */
const freeText: ReadonlySet<string> = new Set(["account", "reference", "reason"]);

/**
 * Formats a CSV cell (RFC 4180). A spreadsheet would evaluate free text that begins like a formula, so an apostrophe is
 * put before it, as OWASP's page on CSV injection recommends. JSON lines have the text unchanged.
 */
function cell(name: string, text: string): string {
  const harmless = freeText.has(name) && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
