import { formatAmount } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import { amountText, shownAmount, shownTokens, timeText, tokensAnswer } from "../../schemas/answers.ts";

const targetAttempts = v.strictObject({
  provider: v.string(),
  upstream_model: v.string(),
  attempts: v.number(),
  failed: v.record(v.string(), v.number()),
});

/** The members of a finished request in answers. */
export const requestMembers = {
  id: v.string(),
  at: timeText,
  request_id: v.string(),
  account: v.string(),
  key_id: v.string(),
  plan: v.string(),
  endpoint: v.string(),
  dialect: v.string(),
  model: v.nullable(v.string()),
  target: v.nullable(v.strictObject({ provider: v.string(), upstream_model: v.string() })),
  status: v.number(),
  error_code: v.nullable(v.string()),
  ending: v.string(),
  tokens: tokensAnswer,
  estimated: v.boolean(),
  cost: amountText,
  upstream_cost: v.nullable(amountText),
  hold_id: v.nullable(v.string()),
  first_content_ms: v.nullable(v.number()),
  duration_ms: v.number(),
  attempts: v.number(),
  attempts_by_target: v.nullable(v.array(targetAttempts)),
  answer_id: v.nullable(v.string()),
  session_id: v.nullable(v.string()),
  end_user: v.nullable(v.string()),
  tags: v.array(v.string()),
  /** `status` and `message` are those of the upstream, for an attempt that failed. */
  timeline: v.array(
    v.strictObject({
      step: v.string(),
      at: v.number(),
      detail: v.nullable(v.string()),
      status: v.nullable(v.number()),
      message: v.nullable(v.string()),
    }),
  ),
};

/** A finished request in answers. */
export const requestAnswer = v.strictObject(requestMembers);

/** A finished request as operators see it. */
export type ShownRequest = v.InferInput<typeof requestAnswer>;

/** Shows a finished request. */
export const shownRequest = (row: UsageRow): ShownRequest => ({
  id: row.id,
  at: row.at.toISOString(),
  request_id: row.requestId,
  account: row.account,
  key_id: row.keyId,
  plan: row.plan,
  endpoint: row.endpoint,
  dialect: row.dialect,
  model: row.model ?? null,
  target: row.target === undefined ? null : { provider: row.target.provider, upstream_model: row.target.upstreamModel },
  status: row.status,
  error_code: row.errorCode ?? null,
  ending: row.ending,
  tokens: shownTokens(row.tokens),
  estimated: row.estimated,
  cost: formatAmount(row.cost),
  upstream_cost: shownAmount(row.upstreamCost),
  hold_id: row.holdId ?? null,
  first_content_ms: row.firstContentMs ?? null,
  duration_ms: row.durationMs,
  attempts: row.attempts,
  attempts_by_target:
    row.attemptsByTarget?.map(({ upstreamModel, failed, ...target }) => ({
      ...target,
      upstream_model: upstreamModel,
      failed: { ...failed },
    })) ?? null,
  answer_id: row.answerId ?? null,
  session_id: row.sessionId ?? null,
  end_user: row.endUser ?? null,
  tags: [...row.tags],
  timeline: row.timeline.map(({ step, at, detail, status, message }) => ({
    step,
    at,
    detail: detail ?? null,
    status: status ?? null,
    message: message ?? null,
  })),
});
