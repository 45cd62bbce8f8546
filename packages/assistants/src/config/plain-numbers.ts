import { isJsonList, isJsonMembers } from "@tollgate/core/extension";
import { type ExactNumber, isExactNumber, type Json, type JsonMembers } from "@tollgate/core/provider";
import { toDecimal } from "./decimal.ts";

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
  /** The double that represents each exact value. */
  readonly #doubles = new Map<string, number>();
  /** For each used double, one to try next. Links are shortened as they are followed, so that many close numbers take linear time. */
  readonly #next = new Map<number, number>();
  hasExact = false;

  constructor() {
    this.#use(0, 0);
  }

  /** Reserves the doubles that the value contains already. */
  collect(value: Json): void {
    if (typeof value === "number") this.#use(value, value);
    else if (isExactNumber(value)) this.hasExact = true;
    else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) this.collect(member);
    }
  }

  replace(value: Json): Json {
    if (isExactNumber(value)) return this.#nearest(value);
    if (isJsonList(value)) return value.map((item) => this.replace(item));
    if (!isJsonMembers(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.replace(member)]));
  }

  /** Returns the nearest double that represents no other number. */
  #nearest(value: ExactNumber): number {
    const known = this.#doubles.get(exactKey(value));
    if (known !== undefined) return known;
    const largest = Number.MAX_VALUE;
    const free = this.#firstFree(Math.min(Math.max(Number(value.text), -largest), largest));
    this.#use(free, value);
    return free;
  }

  #use(double: number, value: number | ExactNumber): void {
    this.#doubles.set(exactKey(value), double);
    this.#next.set(double, nextDouble(double));
  }

  #firstFree(start: number): number {
    let free = start;
    for (let next = this.#next.get(free); next !== undefined; next = this.#next.get(free)) free = next;
    for (let at = start; at !== free; ) {
      const next = this.#next.get(at) ?? free;
      this.#next.set(at, free);
      at = next;
    }
    return free;
  }
}

/** A text that is the same for numbers with the same exact value, such as 100 and 1.0e2. */
function exactKey(value: number | ExactNumber): string {
  const { units, scale } = toDecimal(value);
  if (units === 0n) return "0";
  const digits = String(units);
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return `${digits.slice(0, end)}e${digits.length - end - scale}`;
}

/** Returns the next double away from 0, and half of the largest one after the largest. */
function nextDouble(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  const next = view.getFloat64(0);
  return Math.sign(value || 1) * (Number.isFinite(next) ? next : Number.MAX_VALUE / 2);
}
