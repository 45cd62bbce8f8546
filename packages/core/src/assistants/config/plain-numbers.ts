import { type ExactNumber, isExactNumber } from "../../wire/exact-number.ts";
import { isJsonList, isJsonMembers, type Json, type JsonMembers } from "../../wire/json.ts";
import { compare, toDecimal } from "./decimal.ts";

/**
 * The arguments with plain numbers in the place of exact ones, for a validator that knows no others. Different numbers
 * stay different, so that an array of long ids remains one of unique items. Without exact numbers it is the same object.
 */
export function toPlainNumbers(value: JsonMembers): JsonMembers {
  const plain = new PlainNumbers();
  plain.keep(value);
  if (!plain.needed) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain.replace(member)]));
}

class PlainNumbers {
  /** The number that each plain one stands for. */
  readonly #taken = new Map<number, number | ExactNumber>([[0, 0]]);
  needed = false;

  /** Notes the numbers that are plain already. */
  keep(value: Json): void {
    if (typeof value === "number") this.#taken.set(value, value);
    else if (isExactNumber(value)) this.needed = true;
    else if (typeof value === "object" && value !== null) for (const member of Object.values(value)) this.keep(member);
  }

  replace(value: Json): Json {
    if (isExactNumber(value)) return this.#near(value);
    if (isJsonList(value)) return value.map((item) => this.replace(item));
    if (!isJsonMembers(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.replace(member)]));
  }

  /** The nearest plain number that stands for no other number. */
  #near(value: ExactNumber): number {
    const largest = Number.MAX_VALUE;
    let near = Math.min(Math.max(Number(value.text), -largest), largest);
    for (;;) {
      const other = this.#taken.get(near);
      if (other !== undefined && compare(toDecimal(other), toDecimal(value)) !== 0) near = nextDouble(near);
      else {
        this.#taken.set(near, value);
        return near;
      }
    }
  }
}

/** The next number away from 0; after the last of them, one of those below it. */
function nextDouble(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  const next = view.getFloat64(0);
  return Math.sign(value || 1) * (Number.isFinite(next) ? next : Number.MAX_VALUE / 2);
}
