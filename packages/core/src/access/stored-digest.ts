import type { Awaitable } from "../runtime/awaitable.ts";
import { hmac } from "../wire/hmac.ts";
import { digestKey } from "./key-cache.ts";

/**
 * Returns the digest that a store keeps instead of a key: SHA-256 in hex, a promise on runtimes other than Node,
 * or HMAC-SHA-256 with a pepper. Throws a RangeError for an empty pepper, which would keep nothing secret.
 */
export function storedDigest(text: string, pepper: string | undefined): Awaitable<string> {
  const secret = checkedPepper(pepper);
  return secret === undefined ? digestKey(text) : hmac(secret, text);
}

/** Returns the pepper, or undefined where there is none. Throws a RangeError for an empty one. */
export function checkedPepper(pepper: string | undefined): string | undefined {
  if (pepper !== "") return pepper;
  throw new RangeError(
    "The pepper of API keys is empty. Give a secret of at least 32 random characters, or leave it out.",
  );
}
