const key = /[A-Za-z0-9][A-Za-z0-9_]{0,31}_[0-9A-Za-z]{38}/;
const keys = new RegExp(key, "g");
const credentials = /\/\/[^\s/@]+@/g;

/** Tells whether a text has the format of a key with any prefix. Does not verify the checksum. */
export const looksLikeKey = (text: string): boolean => key.test(text);

/** Removes keys, and the user and password of URLs, from a text. */
export const maskSecrets = (text: string): string => text.replace(keys, "(a key)").replace(credentials, "//(hidden)@");
