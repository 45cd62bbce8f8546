/** Escapes each line of a text; see {@link printable}. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** Escapes characters that would move the cursor or reorder a line, since names can come from customers. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

const key = /[A-Za-z0-9][A-Za-z0-9_]{0,31}_[0-9A-Za-z]{38}/;
const keys = new RegExp(key, "g");
const credentials = /\/\/[^\s/@]+@/g;

/** Tells whether a text has the format of a key with any prefix. Does not verify the checksum. */
export const looksLikeKey = (text: string): boolean => key.test(text);

/** Removes keys, and the user and password of URLs, from a text. */
export const maskSecrets = (text: string): string => text.replace(keys, "(a key)").replace(credentials, "//(hidden)@");
