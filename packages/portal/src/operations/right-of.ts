import type { Right } from "../customer.ts";

/** Adds to a change the right that a customer needs for it. */
export const withRight = <Change extends object>(right: Right, change: Change): Change & { readonly right: Right } => ({
  ...change,
  right,
});
