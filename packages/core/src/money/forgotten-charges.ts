import type { HoldReceipt } from "../ports/receipt.ts";

/** What stands for the description of a charge of the host after its account was forgotten. */
export const forgottenDescription = "forgotten";

/** Returns a receipt without what the host wrote of a charge; undefined if it has nothing to forget. */
export function forgetReceipt(receipt: HoldReceipt): HoldReceipt | undefined {
  const { requestId, description, metadata } = receipt;
  if (description === undefined || (description === forgottenDescription && metadata === undefined)) return undefined;
  return { requestId, description: forgottenDescription };
}
