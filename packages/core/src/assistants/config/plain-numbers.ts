import { type ExactNumber, isExactNumber } from "../../wire/exact-number.ts";
import { isJsonList, isJsonMembers, type Json, type JsonMembers } from "../../wire/json.ts";
import { compare, toDecimal } from "./decimal.ts";

/**
 * Replaces exact numbers with doubles, for a validator that supports no others. Different numbers stay different, so that
 * an array of long ids still has unique items. Returns the same object when it contains no exact numbers.
 */
export function toPlainNumbers(value: JsonMembers): JsonMembers {
  const plain = new PlainNumbers();
  plain.collect(value);
  if (!plain.hasExact) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain.replace(member)]));
}

class PlainNumbers {
  /** The number that each double represents. */
  readonly #represented = new Map<number, number | ExactNumber>([[0, 0]]);
  hasExact = false;

  /** Reserves the doubles that the value contains already. */
  collect(value: Json): void {
    if (typeof value === "number") this.#represented.set(value, value);
    else if (isExactNumber(value)) this.hasExact = true;
    else if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) this.collect(member);
  }

  replace(value: Json): Json {
    if (isExactNumber(value)) return this.#nearest(value);
    if (isJsonList(value)) return value.map((item) => this.replace(item));
    if (!isJsonMembers(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.replace(member)]));
  }

  /** Returns the nearest double that represents no other number. */
  #nearest(value: ExactNumber): number {
    const largest = Number.MAX_VALUE;
    let near = Math.min(Math.max(Number(value.text), -largest), largest);
    for (;;) {
      const other = this.#represented.get(near);
      if (other !== undefined && compare(toDecimal(other), toDecimal(value)) !== 0) near = nextDouble(near);
      else {
        this.#represented.set(near, value);
        return near;
      }
    }
  }
}

/** Returns the next double away from 0, and half of the largest one after the largest. */
function nextDouble(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  const next = view.getFloat64(0);
  return Math.sign(value || 1) * (Number.isFinite(next) ? next : Number.MAX_VALUE / 2);
}
