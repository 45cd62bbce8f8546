/**
 * Returns a line of a CSV file (RFC 4180). Texts are quoted, and objects are quoted as JSON. A text that a spreadsheet would
 * run as a formula gets an apostrophe before it. Numbers, true and false are as they are; null and undefined are empty.
 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(",")}\r\n`;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return quoted(JSON.stringify(value));
  return typeof value === "string" ? quoted(inert(value)) : String(value);
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The first characters of a formula. Follows https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
/** A decimal number, such as an amount, which may be negative. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;

const inert = (text: string): string => (formula.test(text) && !plainNumber.test(text) ? `'${text}` : text);
