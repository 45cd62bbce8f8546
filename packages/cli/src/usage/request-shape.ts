import { formatAmount } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import { toTokenShape } from "./token-shape.ts";

/** A request in the output of --json. Amounts are decimal strings in the host's currency. */
export const toRequestShape = (row: UsageRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  request_id: row.requestId,
  account: row.account,
  key_id: row.keyId,
  plan: row.plan,
  endpoint: row.endpoint,
  dialect: row.dialect,
  model: row.model ?? null,
  target: row.target === undefined ? null : `${row.target.provider}/${row.target.upstreamModel}`,
  status: row.status,
  error_code: row.errorCode ?? null,
  ending: row.ending,
  tokens: toTokenShape(row.tokens),
  estimated: row.estimated,
  cost: formatAmount(row.cost),
  upstream_cost: row.upstreamCost === undefined ? null : formatAmount(row.upstreamCost),
  hold_id: row.holdId ?? null,
  first_content_ms: row.firstContentMs ?? null,
  duration_ms: row.durationMs,
  attempts: row.attempts,
  session_id: row.sessionId ?? null,
  end_user: row.endUser ?? null,
  tags: row.tags,
  timeline: row.timeline,
});
