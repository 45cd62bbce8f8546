import type { Entry } from "@tollgate/core/store";
import type { LedgerMoment } from "./calls.ts";
import type { Violation } from "./violation.ts";

/** The recorded calls of one credit. */
export interface CreditHistory {
  amount: bigint;
  acknowledged: number;
}

/** Collects every credit that a worker began, by its id. */
export function creditsIn(moments: readonly LedgerMoment[]): Map<string, CreditHistory> {
  const credits = new Map<string, CreditHistory>();
  for (const { happened, recorded } of moments) {
    const { call, answer } = recorded;
    if (call.verb !== "credit") continue;
    const credit = credits.get(call.id) ?? { amount: call.amount, acknowledged: 0 };
    credits.set(call.id, credit);
    if (happened === "answered" && answer?.error === undefined) credit.acknowledged++;
  }
  return credits;
}

/** Checks that an acknowledged credit is in the ledger once, and any other at most once. */
export function checkCredit(
  id: string,
  { amount, acknowledged }: CreditHistory,
  entries: readonly Entry[],
): Violation[] {
  if (entries.length > 1) return [{ kind: "double", problem: `Credit ${id} was posted ${entries.length} times.` }];
  const [entry] = entries;
  if (entry === undefined) {
    return acknowledged > 0 ? [{ kind: "lost", problem: `Credit ${id} was acknowledged and is not there.` }] : [];
  }
  if (entry.kind === "credit" && entry.amount === amount) return [];
  return [{ kind: "wrong", problem: `Credit ${id} of ${amount} was posted as ${entry.kind} of ${entry.amount}.` }];
}
