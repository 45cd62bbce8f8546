/**
 * What one process does, in this order. The processes share the holds `a` to `d` and both credits, so that they race for the
 * balance of 3 and also for the end of the same hold, and repeat or contradict each other's calls. Amounts are 1 or 2.
 */
export const scripts: readonly string[] = [
  // Two requests, one after the other.
  "hold a 2, renew a 1, settle a 2, hold b 1, settle b 1, expire",
  // A cost above the hold, settled twice; then money that expires.
  "hold b 1, renew b 1, settle b 2, settle b 2, credit gift 2, hold c 2",
  // An expired hold is settled late for less than its last renewal.
  "hold c 2, renew c 2, renew c 1, expire, settle c 1, settle c 1",
  // An expired hold is settled late for more, and then released and settled at another amount.
  "hold a 2, renew a 1, expire, settle a 2, release a, settle a 1",
  // A hold is released twice, placed again and settled.
  "hold d 1, release d, release d, hold d 1, settle d 1, credit voucher 1",
  // Money that expires is credited twice, and partly used.
  "credit gift 2, hold c 2, settle c 1, credit gift 2, expire, hold d 1",
  // A settlement at another amount, and a hold that has ended.
  "credit voucher 1, hold a 2, settle a 2, settle a 1, hold a 2, expire",
  // Sweeps around one hold.
  "expire, hold b 1, expire, renew b 1, expire, settle b 1",
  // A hold is released, and then swept and settled.
  "hold c 2, renew c 1, release c, expire, settle c 2, credit voucher 1",
  // Two holds at once, of which one costs more than it holds.
  "hold d 1, hold b 1, renew d 2, settle d 2, release b, expire",
  // The same ids as in other scripts, with other amounts.
  "credit gift 1, hold d 2, settle d 2, hold a 1, release a, expire",
  // Two large holds compete, and the first one ends last.
  "hold a 2, hold c 2, renew a 2, settle c 2, settle a 1, expire",
];

/** Returns every choice of `count` scripts, in which a script may occur several times, without regard to their order. */
export function combinationsOf<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, at) => combinationsOf(items.slice(at), count - 1).map((others) => [item, ...others]));
}
