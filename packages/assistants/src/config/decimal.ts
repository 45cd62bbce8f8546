import { type ExactNumber, isExactNumber } from "@tollgate/core/provider";

const numberSyntax = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** An exact decimal number: `units` times ten to the power of `-scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Converts a number to its exact value: that of the double for an integer, and that of its decimal text otherwise. */
export function toDecimal(value: number | ExactNumber): Decimal {
  if (!isExactNumber(value) && Number.isInteger(value)) return { units: BigInt(value), scale: 0 };
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = numberSyntax.exec(String(value)) ?? [];
  return { units: BigInt(sign + whole + fraction), scale: fraction.length - Number(exponent) };
}

/** Returns a negative number when `a` is less than `b`, 0 when they are equal, and else a positive one. */
export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** True when `a` is an integer multiple of `b`. `b` must not be 0. */
export function isMultiple(a: Decimal, b: Decimal): boolean {
  const [x, y] = aligned(a, b);
  return x % y === 0n;
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [scaled(a, scale), scaled(b, scale)];
}

const scaled = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale);
