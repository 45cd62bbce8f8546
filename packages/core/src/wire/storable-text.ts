/** NUL and halves of surrogate pairs, which databases cannot store. */
const unstorable = /[\0\p{Surrogate}]/gu;

/** Replaces what databases cannot store with U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(unstorable, "\ufffd");
}
