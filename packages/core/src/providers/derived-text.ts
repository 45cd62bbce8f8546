import { murmurHash } from "../wire/murmur-hash.ts";

/**
 * Returns eleven lower-case letters and digits that are derived from a text, the same in each process. Not for secrets: a
 * client can at most make names and ids of its own request collide.
 */
export const derivedText = (text: string): string =>
  (murmurHash(`0${text}`) * 2 ** 21 + (murmurHash(`1${text}`) >>> 11)).toString(36).padStart(11, "0");
