import type { Awaitable } from "../runtime/awaitable.ts";
import { nodeCrypto } from "../wire/platform.ts";

/**
 * Returns the digest that a store keeps instead of a key: SHA-256 in hex, or HMAC-SHA-256 with a pepper. It is
 * synchronous on Node and a promise elsewhere. Throws a RangeError for an empty pepper, which would keep nothing secret.
 */
export function digestKey(text: string, pepper?: string): Awaitable<string> {
  const secret = checkedPepper(pepper);
  if (nodeCrypto === undefined) return secret === undefined ? webSha256(text) : webHmac(text, secret);
  if (secret === undefined) return nodeCrypto.hash("sha256", text, "hex");
  return nodeCrypto.createHmac("sha256", secret).update(text).digest("hex");
}

/** Returns the pepper, or undefined where there is none. Throws a RangeError for an empty one. */
export function checkedPepper(pepper: string | undefined): string | undefined {
  if (pepper !== "") return pepper;
  throw new RangeError(
    "The pepper of API keys is empty. Give a secret of at least 32 random characters, or leave it out.",
  );
}

async function webSha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

async function webHmac(text: string, pepper: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(pepper), algorithm, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
