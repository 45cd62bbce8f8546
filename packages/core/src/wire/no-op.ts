import { decodeUtf8 } from "./bytes.ts";

/** Service tiers that equal the default. */
const usualTiers: ReadonlySet<unknown> = new Set(["auto", "default", "standard_only"]);

/**
 * True for a value with which a member that can cost money requests nothing: false, null, an empty list, and the default
 * tiers of `service_tier`. Real clients send such values.
 */
export const isNoOp = (name: string, value: unknown): boolean =>
  value == null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (name === "service_tier" && usualTiers.has(value));

/** Longer than any of those values, including some white space. */
const longestNothing = 32;

/** Does the same check for a value in the bytes of a JSON text. */
export function isNoOpText(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > longestNothing) return false;
  try {
    return isNoOp(name, JSON.parse(decodeUtf8(bytes.subarray(start, end)) ?? "{}"));
  } catch {
    return false;
  }
}
