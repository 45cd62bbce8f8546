import type { Awaitable } from "../runtime/awaitable.ts";
import { nodeCrypto } from "../wire/platform.ts";
import { digestKey, toHex } from "./key-cache.ts";

/**
 * Returns the digest that a store keeps instead of a key: SHA-256 in hex, or HMAC-SHA-256 with a pepper. It is
 * synchronous on Node and a promise elsewhere. Throws a RangeError for an empty pepper, which would keep nothing secret.
 */
export function storedDigest(text: string, pepper: string | undefined): Awaitable<string> {
  const secret = checkedPepper(pepper);
  if (secret === undefined) return digestKey(text);
  if (nodeCrypto === undefined) return webHmac(text, secret);
  return nodeCrypto.createHmac("sha256", secret).update(text).digest("hex");
}

/** Returns the pepper, or undefined where there is none. Throws a RangeError for an empty one. */
export function checkedPepper(pepper: string | undefined): string | undefined {
  if (pepper !== "") return pepper;
  throw new RangeError(
    "The pepper of API keys is empty. Give a secret of at least 32 random characters, or leave it out.",
  );
}

async function webHmac(text: string, pepper: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(pepper), algorithm, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}
