import { type Json, writeLosslessJson } from "@tollgate/core/provider";

/** Encodes a value for its position; undefined: the variable has no value. */
export type WriteValue = (value: Json | undefined) => string;

const anySurrogate = /[\ud800-\udfff]/;

/**
 * Converts a value to text: a string unchanged, a number with its original digits, null and undefined as an empty text, and
 * arrays and objects as compact JSON.
 */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : writeLosslessJson(value);
}

/** Converts a value to percent-encoded text. A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. */
export function urlTextOf(value: Json | undefined): string {
  const text = textOf(value);
  // With the flag `u`, only a lone surrogate matches \p{Surrogate}.
  return encodeURIComponent(anySurrogate.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text);
}

/** Converts a value to JSON, which preserves its type. Undefined becomes null. */
export function jsonOf(value: Json | undefined): string {
  return writeLosslessJson(value ?? null);
}
