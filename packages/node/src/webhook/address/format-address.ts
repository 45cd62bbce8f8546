import type { AddressBytes } from "./parse-address.ts";

/** Formats an address so that equal addresses give equal strings. IPv6 is written with all eight groups. */
export function formatAddress(bytes: AddressBytes): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
  return groups.map((group) => group.toString(16)).join(":");
}
