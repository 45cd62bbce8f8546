const key = /[A-Za-z0-9][A-Za-z0-9_]{0,31}_[0-9A-Za-z]{38}/;
const keys = new RegExp(key, "g");
const credentials = /\/\/[^\s/@]+@/g;

/** True for what has the form of a key, whatever its prefix; its checksum is not asked. */
export const looksLikeKey = (text: string): boolean => key.test(text);

/** The text without the keys that were given in a wrong place, and without the user and password of URLs. */
export const maskSecrets = (text: string): string => text.replace(keys, "(a key)").replace(credentials, "//(hidden)@");
