import {
  attemptCounts,
  dialects,
  hasFailed,
  latencyBucket,
  startOfBucket,
  type TargetAttempts,
  type TimelineStep,
  toStorableText,
  type UsageRow,
  wasRefused,
} from "@tollgate/core/store";
import type { Row } from "./row.ts";

/**
 * Returns rows as a JSON array of objects with the columns of the table. Amounts are strings, which JSON does not round.
 * Text that PostgreSQL cannot store is replaced, since one such row must not hold up all others.
 */
export const toJson = (rows: readonly UsageRow[]): string => storableJson(rows.map(toColumns));

/** Returns the attempts of rows as a JSON array of objects. */
export function attemptsToJson(rows: readonly UsageRow[]): string {
  const counts = rows.flatMap((row) =>
    attemptCounts(row).map(({ upstreamModel, ...count }) => ({
      ...count,
      upstream_model: upstreamModel,
      id: row.id,
      at: row.at.getTime(),
      start: startOfBucket("hour", row.at.getTime()),
    })),
  );
  return storableJson(counts);
}

const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => (typeof each === "string" ? toStorableText(each) : each));

function toColumns(row: UsageRow): object {
  const { tokens, target, firstContentMs } = row;
  return {
    id: row.id,
    at: row.at.getTime(),
    request_id: row.requestId,
    account_id: row.account,
    key_id: row.keyId,
    plan: row.plan,
    endpoint: row.endpoint,
    dialect: row.dialect,
    model: row.model,
    provider: target?.provider,
    upstream_model: target?.upstreamModel,
    status: row.status,
    error_code: row.errorCode,
    ending: row.ending,
    failed: hasFailed(row) || wasRefused(row),
    input: tokens.input,
    cached_input: tokens.cachedInput,
    cache_write_5m: tokens.cacheWrite5m,
    cache_write_1h: tokens.cacheWrite1h,
    output: tokens.output,
    reasoning: tokens.reasoning,
    estimated: row.estimated,
    cost: String(row.cost),
    upstream_cost: row.upstreamCost === undefined ? undefined : String(row.upstreamCost),
    hold_id: row.holdId,
    duration_ms: row.durationMs,
    duration_bucket: latencyBucket(row.durationMs),
    first_content_ms: firstContentMs,
    first_content_bucket: firstContentMs === undefined ? undefined : latencyBucket(firstContentMs),
    attempts: row.attempts,
    session_id: row.sessionId,
    end_user: row.endUser,
    tags: row.tags,
    timeline: JSON.stringify(row.timeline),
    attempts_by_target: row.attemptsByTarget && JSON.stringify(row.attemptsByTarget),
    answer_id: row.answerId,
  };
}

/** Reads a row from its columns, of which `tags` is JSON. */
export function toUsageRow(row: Row): UsageRow {
  const count = (column: string) => Number(row.text(column));
  return {
    id: row.text("id"),
    at: row.date("at"),
    requestId: row.text("request_id"),
    account: row.text("account_id"),
    keyId: row.text("key_id"),
    plan: row.text("plan"),
    endpoint: row.text("endpoint"),
    dialect: row.oneOf("dialect", dialects),
    status: count("status"),
    ending: row.text("ending"),
    tokens: {
      input: count("input"),
      cachedInput: count("cached_input"),
      cacheWrite5m: count("cache_write_5m"),
      cacheWrite1h: count("cache_write_1h"),
      output: count("output"),
      reasoning: count("reasoning"),
    },
    estimated: row.optionalFlag("estimated") === true,
    cost: row.integer("cost"),
    durationMs: count("duration_ms"),
    attempts: count("attempts"),
    tags: readTags(row),
    timeline: readTimeline(row),
    ...optionalMembers(row),
  };
}

function optionalMembers(row: Row): Partial<UsageRow> {
  const [provider, upstreamModel] = [row.optionalText("provider"), row.optionalText("upstream_model")];
  const [upstreamCost, firstContentMs] = [row.optionalText("upstream_cost"), row.optionalText("first_content_ms")];
  const attemptsByTarget: unknown = row.optionalJson("attempts_by_target");
  const texts = {
    answerId: row.optionalText("answer_id"),
    model: row.optionalText("model"),
    errorCode: row.optionalText("error_code"),
    holdId: row.optionalText("hold_id"),
    sessionId: row.optionalText("session_id"),
    endUser: row.optionalText("end_user"),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(provider === undefined || upstreamModel === undefined ? {} : { target: { provider, upstreamModel } }),
    ...(upstreamCost === undefined ? {} : { upstreamCost: BigInt(upstreamCost) }),
    ...(firstContentMs === undefined ? {} : { firstContentMs: Number(firstContentMs) }),
    ...(isAttempts(attemptsByTarget) ? { attemptsByTarget } : {}),
  };
}

function readTags(row: Row): readonly string[] {
  const tags = row.optionalJson("tags");
  return Array.isArray(tags) ? tags.map(String) : [];
}

function readTimeline(row: Row): readonly TimelineStep[] {
  const steps: unknown = row.optionalJson("timeline");
  return isTimeline(steps) ? steps : [];
}

const isAttempts = (value: unknown): value is readonly TargetAttempts[] => Array.isArray(value);

const isTimeline = (value: unknown): value is readonly TimelineStep[] => Array.isArray(value);
