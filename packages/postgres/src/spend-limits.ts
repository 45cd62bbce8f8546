import { keepCapMs, type TextRow } from "@tollgate/core/internal";
import type { HoldRequest, SpendLimit, SpendRefusal, SpendScope } from "@tollgate/core/store";
import type { SpendColumn } from "./statements/spend.ts";

/** True for a hold that brings a spend limit. */
export const hasLimits = ({ spend }: HoldRequest): boolean =>
  spend.account !== undefined || spend.key !== undefined || spend.token !== undefined;

/** Converts the limits of a hold to its input. */
export function toSpendInput({
  spend: { account, key, limitsId, token },
}: HoldRequest): Record<SpendColumn, string | undefined> {
  return {
    account_limit: account?.limit.toString(),
    account_window: account?.window,
    account_zone: account?.timezone,
    account_models: account?.models && JSON.stringify(account.models),
    key_limit: key?.limit.toString(),
    key_window: key?.window,
    key_zone: key?.timezone,
    key_models: key?.models && JSON.stringify(key.models),
    limits_id: limitsId,
    token_id: token?.id,
    token_limit: token?.limit.toString(),
    token_removal: token && new Date(token.expiresAt.getTime() + keepCapMs).toISOString(),
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
    accountModels: account?.models,
    key: key?.limit.toString(),
    keyZone: key?.timezone,
    keyModels: key?.models,
  });
}

interface SpendStateJson {
  readonly scope: SpendScope;
  readonly limit: string;
  readonly window: SpendLimit["window"];
  readonly zone: string | null;
  readonly models: readonly string[] | null;
  readonly spent: string;
  readonly resetsAt: string | null;
}

/** Returns the limit that leaves less than an amount in the row of a hold's statement, or undefined. */
export function readSpendRefusal(row: TextRow, amount: bigint): SpendRefusal | undefined {
  const states: readonly SpendStateJson[] = JSON.parse(row.optionalText("spends") ?? "[]");
  const exceeded = states.find(({ spent, limit }) => BigInt(spent) + amount > BigInt(limit));
  if (exceeded === undefined) return undefined;
  const { scope, window, zone, models, resetsAt } = exceeded;
  return {
    outcome: "spend_limit",
    scope,
    limit: {
      limit: BigInt(exceeded.limit),
      window,
      ...(zone === null ? {} : { timezone: zone }),
      ...(models === null ? {} : { models }),
    },
    spent: BigInt(exceeded.spent),
    ...(resetsAt === null ? {} : { resetsAt: new Date(Number(resetsAt)) }),
  };
}
