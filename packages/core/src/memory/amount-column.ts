import { grown } from "./grown.ts";

/** Amounts in a row, which are no objects for the garbage collector as long as they have no more than 64 bits. */
export class AmountColumn {
  #amounts: BigInt64Array;
  readonly #large = new Map<number, bigint>();

  constructor(length: number) {
    this.#amounts = new BigInt64Array(length);
  }

  get(at: number): bigint {
    const amount = this.#amounts[at] ?? 0n;
    return amount === isLarge ? (this.#large.get(at) ?? amount) : amount;
  }

  set(at: number, amount: bigint): void {
    if (this.#large.size > 0) this.#large.delete(at);
    const fits = BigInt.asIntN(64, amount) === amount;
    this.#amounts[at] = fits ? amount : isLarge;
    if (!fits) this.#large.set(at, amount);
  }

  /** Takes the first amounts away; the others move to their places. */
  dropFirst(count: number): void {
    this.#amounts.copyWithin(0, count);
    const large = [...this.#large].filter(([at]) => at >= count);
    this.#large.clear();
    for (const [at, amount] of large) this.#large.set(at - count, amount);
  }

  grow(length: number): void {
    this.#amounts = grown(this.#amounts, new BigInt64Array(length));
  }
}

/** Stands where an amount has more bits, or is this very number. */
const isLarge = -(2n ** 63n);
