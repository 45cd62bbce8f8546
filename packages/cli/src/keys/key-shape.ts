import type { ApiKey, Limits, WindowLimit } from "@tollgate/core/store";
import { keyState } from "@tollgate/core/store";
import { describeSpend, toSpendShape } from "../accounts/spend-shape.ts";

/**
 * The key in the output of --json, without absent members. Members are copied one by one, because a store of the host
 * can return others that must not be shown.
 */
export const toKeyShape = (key: ApiKey): object => ({
  id: key.id,
  state: keyState(key),
  account: key.account,
  plan: key.plan,
  name: key.name,
  lastFour: key.lastFour,
  models: key.models,
  features: key.features,
  dialects: key.dialects,
  limits: key.limits,
  spend: key.spend && toSpendShape(key.spend),
  tags: key.tags,
  logContent: key.logContent,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  rotatedFrom: key.rotatedFrom,
});

/** The fields of a key in text output. */
export function keyFields(key: ApiKey): readonly (readonly [string, string | undefined])[] {
  return [
    ["id", key.id],
    ["state", keyState(key)],
    ["account", key.account],
    ["plan", key.plan],
    ["name", key.name],
    ["last four", key.lastFour],
    ["models", key.models?.join(", ")],
    ["features", key.features?.join(", ")],
    ["dialects", key.dialects?.join(", ")],
    ["limits", key.limits && describeLimits(key.limits)],
    ["spend", key.spend && describeSpend(key.spend)],
    ["tags", key.tags?.join(", ")],
    ["content", key.logContent ? "stored" : undefined],
    ["created", key.createdAt.toISOString()],
    ["expires", key.expiresAt?.toISOString()],
    ["revoked", key.revokedAt?.toISOString()],
    ["replaces", key.rotatedFrom],
  ];
}

function describeLimits({ requests, tokens, concurrency }: Limits): string {
  const parts = [
    ...(requests === undefined ? [] : [describeWindow("requests", requests)]),
    ...(tokens === undefined ? [] : [describeWindow("tokens", tokens)]),
    ...(concurrency === undefined ? [] : [`${concurrency} concurrent requests`]),
  ];
  return parts.join(", ");
}

const describeWindow = (what: string, { limit, windowSeconds = 60 }: WindowLimit): string =>
  `${limit} ${what} in ${windowSeconds} s`;
