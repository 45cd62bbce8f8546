import { type ApiKey, dialects, features, keyState } from "@tollgate/core/store";
import * as v from "valibot";
import { timeText } from "../../schemas/answers.ts";
import { limitsAnswer, shownLimits, shownSpend, spendAnswer } from "../../schemas/limits.ts";

/** The members of a key in answers. */
export const keyMembers = {
  id: v.string(),
  account: v.string(),
  plan: v.string(),
  name: v.nullable(v.string()),
  last_four: v.string(),
  models: v.nullable(v.array(v.string())),
  features: v.nullable(v.array(v.picklist(features))),
  dialects: v.nullable(v.array(v.picklist(dialects))),
  limits: v.nullable(limitsAnswer),
  spend: v.nullable(spendAnswer),
  tags: v.array(v.string()),
  log_content: v.boolean(),
  created_at: timeText,
  expires_at: v.nullable(timeText),
  revoked_at: v.nullable(timeText),
  rotated_from: v.nullable(v.string()),
  state: v.picklist(["active", "expired", "revoked"]),
};

/** A key in answers. */
export const keyAnswer = v.strictObject(keyMembers);

/** A key as operators see it. */
export type ShownKey = v.InferInput<typeof keyAnswer>;

/** Shows a key. Members are copied one by one, since a store of the host may return others. */
export const shownKey = (key: ApiKey): ShownKey => ({
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
