import type { HoldRequest, SpendLimit, SpendRefusal } from "@tollgate/core/store";
import type { Row } from "./row.ts";
import type { SpendColumn } from "./statements/spend.ts";

/** True for a hold that brings a spend limit. */
export const hasLimits = ({ spend }: HoldRequest): boolean => spend.account !== undefined || spend.key !== undefined;

/** Converts the limits of a hold to its input. */
export function toSpendInput({
  spend: { account, key, limitsId },
}: HoldRequest): Record<SpendColumn, string | undefined> {
  return {
    account_limit: account?.limit.toString(),
    account_window: account?.window,
    account_zone: account?.timezone,
    key_limit: key?.limit.toString(),
    key_window: key?.window,
    key_zone: key?.timezone,
    limits_id: limitsId,
  };
}

/** Converts the rules for notices of a hold, with the limits that it brings, to JSON. */
export function toNoticeInput({ spend: { account, key }, notices }: HoldRequest): string | undefined {
  if (notices === undefined) return undefined;
  return JSON.stringify({
    thresholds: notices.thresholds,
    lowBalance: notices.lowBalance?.toString(),
    account: account?.limit.toString(),
    accountZone: account?.timezone,
    key: key?.limit.toString(),
    keyZone: key?.timezone,
  });
}

interface SpendStateJson {
  readonly scope: "account" | "key";
  readonly limit: string;
  readonly window: SpendLimit["window"];
  readonly zone: string | null;
  readonly spent: string;
  readonly resetsAt: string | null;
}

/** Returns the limit that leaves less than an amount in the row of a hold's statement, or undefined. */
export function readSpendRefusal(row: Row, amount: bigint): SpendRefusal | undefined {
  const states: readonly SpendStateJson[] = JSON.parse(row.optionalText("spends") ?? "[]");
  const exceeded = states.find(({ spent, limit }) => BigInt(spent) + amount > BigInt(limit));
  if (exceeded === undefined) return undefined;
  const { scope, window, zone, resetsAt } = exceeded;
  return {
    outcome: "spend_limit",
    scope,
    limit: { limit: BigInt(exceeded.limit), window, ...(zone === null ? {} : { timezone: zone }) },
    spent: BigInt(exceeded.spent),
    ...(resetsAt === null ? {} : { resetsAt: new Date(Number(resetsAt)) }),
  };
}
