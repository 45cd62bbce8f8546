import { type Allowance, checkedAllowance, type HoldRequest } from "@tollgate/core/store";

/** The allowances of plans, which every hold passes, so that each is checked once. */
const texts = new WeakMap<Allowance, string>();

/** Returns the window and the time zone of the allowance of a hold, by which its account remembers the last grant. */
export function allowanceText({ allowance }: HoldRequest): string | undefined {
  if (allowance === undefined) return undefined;
  const text = texts.get(allowance) ?? windowOf(checkedAllowance(allowance)).join(" ");
  texts.set(allowance, text);
  return text;
}

/** Returns the window and the time zone of an allowance. */
export const windowOf = ({ window, timezone = "UTC" }: Allowance): [window: string, zone: string] => [window, timezone];

/** Returns the values of the statement that prepares an account and grants an allowance. */
export function prepareValues(account: string, allowance: Allowance): unknown[] {
  return [account, String(allowance.amount), ...windowOf(allowance)];
}
