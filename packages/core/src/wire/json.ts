/** A JSON value (RFC 8259). Only `parseLosslessJson` creates a {@link LosslessNumber}; JSON.parse rounds instead. */
export type Json = string | number | boolean | null | LosslessNumber | readonly Json[] | JsonMembers;

/** A JSON object whose members are JSON values. */
export type JsonMembers = { readonly [key: string]: Json };

/** Parses a JSON text. Returns undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object with unknown members, which are checked where they are read. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object. It is also true for a {@link LosslessNumber}, which {@link isPlainObject} excludes. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True for a JSON object, and false for a {@link LosslessNumber}. */
export const isPlainObject = (value: unknown): value is JsonObject => isJsonObject(value) && !isLosslessNumber(value);

/** The same for a value whose members are JSON values. */
export const isJsonMembers = (value: Json | undefined): value is JsonMembers => isPlainObject(value);

/** True for a JSON array. The type of Array.isArray does not distinguish a readonly array from an object. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** True for a text that is not empty. Upstreams send an empty text for an absent one. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** True for a time in whole Unix seconds after the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;

const brand = Symbol.for("tollgate.lossless-number");
// The exponent of the largest double.
const maxExponent = 308;
/** A number of JSON (RFC 8259, section 6). */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A JSON number whose digits a JavaScript number would not keep, such as `12345678901234567890` or `19.90`. Client data,
 * arguments and variables hold it for such a number; every other number is a JavaScript number.
 *
 * `JSON.stringify` writes it as a string. `writeLosslessJson` writes it as a number.
 */
export class LosslessNumber {
  /** The number as it was sent (RFC 8259, section 6). */
  readonly text: string;

  /** Throws a TypeError if the text is not a JSON number. */
  constructor(text: string) {
    if (!number.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a number of JSON. Give its digits.`);
    this.text = text;
  }

  /** Also true for a LosslessNumber of another copy of this package. */
  get [brand](): true {
    return true;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** True for an exponent that few JSON parsers support, such as that of 1e999. Any number of digits is supported. */
export function hasHugeExponent({ text }: LosslessNumber): boolean {
  const [, exponent = "0"] = text.split(/e/i);
  return Math.abs(Number(exponent)) > maxExponent;
}

/** True for a {@link LosslessNumber}. */
export const isLosslessNumber = (value: unknown): value is LosslessNumber =>
  typeof value === "object" && value !== null && brand in value;
