import { parseAmount } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";

/**
 * How the requests of busy accounts are held in slices. A slice is one hold of the database, from which a process holds requests in
 * memory for at most 15 s. It is taken for a key, a model and an API by which at least two requests came within 15 s.
 */
export interface SliceOptions {
  /**
   * What a slice takes at most: nano-units above zero, or a decimal string such as "5.00". It never takes more than a quarter of
   * what the balance and the spend limits leave, or what the request needs for which it is taken. Give at least what all requests that a key runs
   * at the same time can cost: those that do not fit are held in the database. It is also the most that a killed process leaves
   * uncharged for a key, a model and an API.
   */
  readonly amount: bigint | string;
  /**
   * No slice is taken while less than this and `amount` is available, so that no process refuses a request because of what lies
   * unused in the slice of another one: nano-units, or a decimal string such as "20.00".
   */
  readonly above: bigint | string;
}

/** Returns the options of slices in nano-units. Throws a TypeError that names an invalid one. */
export function checkedSliceOptions(options: SliceOptions): Readonly<Record<keyof SliceOptions, bigint>> {
  requireKnown("The option `slices`", options, { amount: true, above: true });
  return { amount: toNano("amount", options.amount, 1n), above: toNano("above", options.above, 0n) };
}

function toNano(name: keyof SliceOptions, value: unknown, least: bigint): bigint {
  const nano = typeof value === "string" ? parseAmount(value) : value;
  if (typeof nano === "bigint" && nano >= least) return nano;
  throw new TypeError(
    `\`slices.${name}\` must be ${least === 0n ? "" : "above zero, "}a bigint of nano-units or a decimal string such as "5.00". Give one, or remove \`slices\`.`,
  );
}
