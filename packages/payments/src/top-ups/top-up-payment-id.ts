import type { DueTopUp } from "../top-up.ts";

/**
 * Returns the id of the payment of a top-up that is due: a UUID of version 8 (RFC 9562) from the top-up and the payment before
 * it, so that all processes that see the same ask the provider for the same payment.
 */
export async function topUpPaymentId({ id, last = "" }: Pick<DueTopUp, "id" | "last">): Promise<string> {
  const text = new TextEncoder().encode(`tollgate top-up\n${id}\n${last}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
