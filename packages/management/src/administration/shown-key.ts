import { type ApiKey, keyState } from "@tollgate/core/store";
import { shownLimits, shownSpend } from "./shown-limits.ts";

/** Returns a key as JSON for operators. Members are copied one by one, since a store of the host may return others. */
export const shownKey = (key: ApiKey) => ({
  id: key.id,
  account: key.account,
  plan: key.plan,
  name: key.name ?? null,
  last_four: key.lastFour,
  models: key.models === undefined ? null : [...key.models],
  features: key.features === undefined ? null : [...key.features],
  dialects: key.dialects === undefined ? null : [...key.dialects],
  limits: key.limits === undefined ? null : shownLimits(key.limits),
  spend: key.spend === undefined ? null : shownSpend(key.spend),
  tags: [...(key.tags ?? [])],
  log_content: key.logContent ?? false,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  rotated_from: key.rotatedFrom ?? null,
  state: keyState(key),
});
