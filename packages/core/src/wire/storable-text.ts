const plainId = /^[\w.:-]{1,128}$/;
const longestId = 128;

/** Returns an id that an upstream chose as a text that databases can store, with at most 128 characters. */
export const storableId = (id: string | undefined): string | undefined =>
  id === undefined || plainId.test(id) ? id : toStorableText(id.slice(0, longestId));

/** NUL and halves of surrogate pairs, which databases cannot store. */
const unstorable = /[\0\p{Surrogate}]/gu;

/** Replaces what databases cannot store with U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(unstorable, "\ufffd");
}
