/** Escapes each line of a text; see {@link printable}. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** Escapes characters that would move the cursor or reorder a line, since names can come from customers. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
