import { decodeUtf8 } from "./bytes.ts";

/** Tiers of service that are what a call has anyway. */
const usualTiers: ReadonlySet<unknown> = new Set(["auto", "default", "standard_only"]);

/**
 * True for the value of a member that costs something when it asks for something, but does not: false, null, an empty
 * list, and the usual tiers of `service_tier`. Real clients send such values.
 */
export const asksForNothing = (name: string, value: unknown): boolean =>
  value == null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (name === "service_tier" && usualTiers.has(value));

/** Longer than any of those values, with some white space in it. */
const longestNothing = 32;

/** The same of a value in the bytes of a JSON text. */
export function asksForNothingIn(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > longestNothing) return false;
  try {
    return asksForNothing(name, JSON.parse(decodeUtf8(bytes.subarray(start, end)) ?? "{}"));
  } catch {
    return false;
  }
}
