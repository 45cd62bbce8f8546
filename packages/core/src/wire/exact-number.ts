import { anyNumber } from "./json-patterns.ts";

const brand = Symbol.for("tollgate.exact-number");
// That of the largest double.
const mostExponent = 308;
const number = new RegExp(`^${anyNumber}$`);

/**
 * A number of JSON whose digits a JavaScript number would not keep, such as `12345678901234567890` or `19.90`. It stands
 * in client data, arguments and variables where such a number was sent; every other number is a plain one.
 *
 * `JSON.stringify` writes it as a string. `writeExactJson` writes it as the number that it is.
 */
export class ExactNumber {
  /** The number as it was written (RFC 8259, section 6). */
  readonly text: string;

  /** Throws when the text is not a number of JSON. */
  constructor(text: string) {
    if (!number.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a number of JSON. Give its digits.`);
    this.text = text;
  }

  /** True also for those of another copy of this package. */
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

/** True for an exponent that few readers of JSON can work with, such as that of 1e999. Digits written out are fine. */
export function hasHugeExponent({ text }: ExactNumber): boolean {
  const [, exponent = "0"] = text.split(/e/i);
  return Math.abs(Number(exponent)) > mostExponent;
}

/** True for an {@link ExactNumber}. */
export const isExactNumber = (value: unknown): value is ExactNumber =>
  typeof value === "object" && value !== null && brand in value;
