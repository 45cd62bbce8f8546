import { type ExactNumber, isExactNumber } from "../../wire/exact-number.ts";

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** An exact number, `units` times ten to the power of `-scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The exact value of a number. A whole number of JavaScript is what it stands for, any other what it is written as. */
export function toDecimal(value: number | ExactNumber): Decimal {
  if (!isExactNumber(value) && Number.isInteger(value)) return { units: BigInt(value), scale: 0 };
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = parts.exec(String(value)) ?? [];
  return { units: BigInt(sign + whole + fraction), scale: fraction.length - Number(exponent) };
}

/** Negative when `a` is less than `b`, 0 when they are equal, else positive. */
export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** True when `a` is a whole multiple of `b`, which is not 0. */
export function isMultiple(a: Decimal, b: Decimal): boolean {
  const [x, y] = aligned(a, b);
  return x % y === 0n;
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [scaled(a, scale), scaled(b, scale)];
}

const scaled = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale);
