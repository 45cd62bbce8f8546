import type { AccountPlans } from "../ports/key-admin.ts";

/** A plan of the keys of an account. `isActive`: one of these keys is active. */
export interface PlanRow {
  readonly account: string;
  readonly plan: string;
  readonly isActive: boolean;
}

/** Groups plans by account, in the order of the rows. */
export function groupPlans(rows: readonly PlanRow[]): readonly AccountPlans[] {
  const plans = new Map<string, string[]>();
  for (const { account, plan, isActive } of rows) {
    const known = plans.get(account) ?? [];
    plans.set(account, known);
    if (isActive) known.push(plan);
  }
  return [...plans].map(([id, ofAccount]) => ({ id, plans: ofAccount }));
}
