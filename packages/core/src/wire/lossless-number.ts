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

  /** Also true for an LosslessNumber of another copy of this package. */
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

/** True for an {@link LosslessNumber}. */
export const isLosslessNumber = (value: unknown): value is LosslessNumber =>
  typeof value === "object" && value !== null && brand in value;
