import { formatAmount } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";

/**
 * A request in the output of --json, without absent members. Amounts are decimal strings in the host's currency. Members
 * are copied one by one, because a store of the host can return others that must not be shown.
 */
export const toRequestShape = (row: UsageRow): object => ({
  id: row.id,
  at: row.at,
  requestId: row.requestId,
  account: row.account,
  keyId: row.keyId,
  plan: row.plan,
  endpoint: row.endpoint,
  dialect: row.dialect,
  model: row.model,
  target: row.target,
  status: row.status,
  errorCode: row.errorCode,
  ending: row.ending,
  tokens: row.tokens,
  estimated: row.estimated,
  cost: formatAmount(row.cost),
  upstreamCost: row.upstreamCost === undefined ? undefined : formatAmount(row.upstreamCost),
  holdId: row.holdId,
  firstContentMs: row.firstContentMs,
  durationMs: row.durationMs,
  attempts: row.attempts,
  attemptsByTarget: row.attemptsByTarget,
  answerId: row.answerId,
  sessionId: row.sessionId,
  endUser: row.endUser,
  tags: row.tags,
  timeline: row.timeline,
});
