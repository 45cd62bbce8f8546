import { startOfBucket } from "../../events/usage-pieces.ts";
import { limitsOfAnyModel } from "../../money/hold-amount.ts";
import { spendWindowAt } from "../../money/spend-window.ts";
import { formatAmount } from "../../options/decimal.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import { type ApiKey, keyScopes } from "../../ports/key-store.ts";
import type { SpendQuery, SpendState, SpendWindow } from "../../ports/spend-limit.ts";
import { type Admission, type Caller, spendOf as holdSpendOf } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { dialects } from "../../wire/dialect.ts";
import { features } from "../../wire/feature.ts";
import { balanceOf } from "./show-credits.ts";
import { numberOf, shownLimits, shownSpend } from "./shown-values.ts";

/**
 * GET /key: the key that asks, in the form of OpenRouter's API in `data`, and exactly in `key`.
 * Follows https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key
 */
export async function showKey(services: Services, { exchange, caller }: Admission): Promise<GatewayResponse> {
  const { key, plan } = caller;
  const [used, sums, spend, balance] = await Promise.all([
    usedBy(services, key),
    recentUsage(services, key),
    spendOf(services, caller),
    balanceOf(services, caller),
  ]);
  const isFreeTier = plan.billing === "prepaid" && balance.totals.credited === 0n;
  return jsonResponse(200, exchange.headers, {
    data: { ...asOpenRouter(caller, spend), is_free_tier: isFreeTier, usage: numberOf(used), ...asNumbers(sums) },
    key: {
      ...rightsOf(services, caller),
      spend: spend.map(({ scope, limit, spent, resetsAt }) => ({
        scope,
        ...shownSpend(limit),
        used: formatAmount(spent),
        resets_at: resetsAt?.toISOString() ?? null,
      })),
      usage: { total: formatAmount(used), ...(sums === undefined ? unknownUsage : asDecimals(sums)) },
    },
  });
}

const usedBy = (services: Services, { id }: ApiKey) =>
  callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.balances.usedBy(id),
    (used) => typeof used === "bigint",
  );

/** What a key used in the present UTC day, week from Monday, and month, in nano-units. */
interface RecentUsage {
  readonly day: bigint;
  readonly week: bigint;
  readonly month: bigint;
}

const unknownUsage = { day: null, week: null, month: null };

/** Returns undefined if the gateway records no usage. */
async function recentUsage(
  { usage, storeTimeoutMs }: Services,
  { id }: Pick<ApiKey, "id">,
): Promise<RecentUsage | undefined> {
  if (usage === undefined) return undefined;
  const now = Date.now();
  const week = spendWindowAt({ window: "week" }, now).startsAt;
  const month = startOfBucket("month", now);
  const period = { from: new Date(Math.min(week, month)), to: new Date(now) };
  const rows = await callStoreWithTimeout(
    storeTimeoutMs,
    () => usage.store.summary({ ...period, bucket: "day", filter: { key: id } }),
    Array.isArray,
  );
  const since = (start: number) => rows.reduce((sum, row) => (row.start.getTime() >= start ? sum + row.cost : sum), 0n);
  return { day: since(startOfBucket("day", now)), week: since(week), month: since(month) };
}

const asNumbers = (sums: RecentUsage | undefined) => ({
  usage_daily: sums === undefined ? null : numberOf(sums.day),
  usage_weekly: sums === undefined ? null : numberOf(sums.week),
  usage_monthly: sums === undefined ? null : numberOf(sums.month),
});

const asDecimals = ({ day, week, month }: RecentUsage) => ({
  day: formatAmount(day),
  week: formatAmount(week),
  month: formatAmount(month),
});

type ScopedState = SpendState & Pick<SpendQuery, "scope">;

/** Returns the spend limits of the account and of the key, and what was spent of each. A plan that bills nothing has none. */
async function spendOf({ balances, storeTimeoutMs }: Services, caller: Caller): Promise<readonly ScopedState[]> {
  const { key, plan } = caller;
  if (plan.billing === "none") return [];
  const account = await callStoreWithTimeout(
    storeTimeoutMs,
    () => balances.findAccount(key.account),
    (found) => found === undefined || typeof found?.id === "string",
  );
  const queries = limitsOfAnyModel(
    { account: key.account, keyId: key.id, spend: holdSpendOf(caller) },
    account?.spendLimit,
  );
  if (queries.length === 0) return [];
  const states = await callStoreWithTimeout(
    storeTimeoutMs,
    () => balances.spendOf(queries),
    (found) => Array.isArray(found) && found.length === queries.length,
  );
  return states.flatMap((state, index) => {
    const scope = queries[index]?.scope;
    return scope === undefined ? [] : [{ ...state, scope }];
  });
}

const resets: Readonly<Record<SpendWindow, string | null>> = {
  day: "daily",
  week: "weekly",
  month: "monthly",
  total: null,
};

/** The members of OpenRouter's form that need no sums. What this gateway does not have is 0, false, empty or null. */
function asOpenRouter({ key, plan }: Caller, spend: readonly ScopedState[]) {
  const own = spend.find(({ scope }) => scope === "key");
  const left = own && own.limit.limit - own.spent;
  const requests = plan.requestsOf(key);
  return {
    label: key.name ?? `…${key.lastFour}`,
    limit: own === undefined ? null : numberOf(own.limit.limit),
    limit_remaining: left === undefined ? null : numberOf(left > 0n ? left : 0n),
    limit_reset: own === undefined ? null : resets[own.limit.window],
    expires_at: key.expiresAt?.toISOString() ?? null,
    rate_limit:
      requests === undefined
        ? { requests: -1, interval: "60s", note: "This key has no limit of requests." }
        : { requests: requests.limit, interval: `${requests.windowSeconds}s`, note: "Requests in each interval." },
    ...notHere,
  };
}

const notHere = {
  include_byok_in_limit: false,
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
  creator_user_id: null,
  organization_id: null,
  workspace_id: null,
  is_management_key: false,
  is_provisioning_key: false,
  allowed_data_regions: [],
  free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
};

/** What the key may use, of what it and its plan allow. */
function rightsOf(services: Services, { key, plan }: Caller) {
  const [requests, tokens, concurrency] = [plan.requestsOf(key), plan.tokensOf(key), plan.concurrencyOf(key)];
  return {
    id: key.id,
    name: key.name ?? null,
    last_four: key.lastFour,
    account: key.account,
    plan: plan.id,
    billing: plan.billing,
    scopes: key.scopes ?? keyScopes,
    models: [...services.models.current().keys()].filter((id) => plan.allowsModel(key, id)),
    dialects: dialects.filter((dialect) => plan.allowsDialect(key, dialect)),
    features: features.filter((feature) => plan.allowsFeature(feature) && (key.features?.includes(feature) ?? true)),
    limits: shownLimits({
      ...(requests && { requests }),
      ...(tokens && { tokens }),
      ...(concurrency !== undefined && { concurrency }),
    }),
    tags: key.tags ?? [],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}
