/**
 * The text itself. Throws a RangeError for what PostgreSQL refuses or would change without a word, so that two names
 * would become one: NUL, half a surrogate pair, and, from JavaScript, what is no text.
 */
export function storableText(text: string): string {
  if (isStorableText(text)) return text;
  throw new RangeError(
    "PostgreSQL keeps text without NUL characters and halves of surrogate pairs. Check the account, id, name or reason that was given.",
  );
}

/** Whether PostgreSQL keeps it as it is. */
export function isStorableText(text: string): boolean {
  return typeof text === "string" && !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}
