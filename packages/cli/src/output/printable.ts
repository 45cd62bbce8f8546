/** The text with the lines that it has; see {@link printable}. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** The text on one line, with what would move the cursor or reorder a line written out: names may come from customers. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
