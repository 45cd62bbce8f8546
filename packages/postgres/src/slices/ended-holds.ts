import { askedAmounts, type EndResult, type HoldRequest, type HoldResult } from "@tollgate/core/store";

/** A request that was held in a slice and has ended: settled at `cost` nano-units, or released if that is undefined. */
export interface EndedHold {
  readonly request: HoldRequest;
  readonly cost: bigint | undefined;
}

/** The result of a hold whose id was used before, and has ended unless `ended` is undefined. */
export function repeatedHold(
  before: HoldRequest,
  ended: EndedHold | undefined,
  request: HoldRequest,
  held: HoldResult,
): HoldResult {
  const { account, keyId } = before;
  const isSame =
    account === request.account && keyId === request.keyId && askedAmounts(before) === askedAmounts(request);
  if (!isSame) return { outcome: "conflict" };
  return ended === undefined ? held : { outcome: "ended", cost: ended.cost };
}

/** The result of ending a hold that has ended. */
export const repeatedEnd = (ended: EndedHold, cost: bigint | undefined): EndResult => ({
  outcome: ended.cost === cost ? "repeated" : "conflict",
});
