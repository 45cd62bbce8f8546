import { writeExactJson } from "../../../wire/exact-json.ts";
import type { Json } from "../../../wire/json.ts";

const anySurrogate = /[\ud800-\udfff]/;

/**
 * The text form of a value: strings as they are, numbers with the digits they came with, null and no value empty, arrays
 * and objects as compact JSON.
 */
export function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? writeExactJson(value) : String(value);
}

/** The text form within a URL, percent-encoded once; a lone surrogate, which UTF-8 cannot hold, becomes U+FFFD. */
export function urlTextOf(value: Json | undefined): string {
  const text = textOf(value);
  // Within a pattern of code points only a surrogate without its other half is a surrogate.
  return encodeURIComponent(anySurrogate.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text);
}

/** The JSON form, with its type; no value is null. */
export function jsonOf(value: Json | undefined): string {
  return writeExactJson(value ?? null);
}
