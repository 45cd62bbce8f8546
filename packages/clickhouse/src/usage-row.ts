import { readUsageRow, type TextRow } from "@tollgate/core/internal";
import type { TimelineStep, UsageRow } from "@tollgate/core/store";
import { millisecondsOf } from "./sql.ts";

const texts = [
  ...["request_id", "account_id", "key_id", "plan", "endpoint", "dialect", "model", "provider", "upstream_model"],
  ...["error_code", "ending", "hold_id", "answer_id", "session_id", "end_user", "timeline", "attempts_by_target"],
];
const numbers = [
  ...["status", "estimated", "duration_ms", "first_content_ms", "attempts", "cost"],
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"],
];

/** Returns the statement for the rows that a condition selects, newest first, with their columns as text. */
export const rowsSql = (usage: string, condition: string, limit: number): string => `
SELECT name AS id, ${millisecondsOf("start")} AS at, toJSONString(tags) AS tags,
       if(has_upstream_cost = 1, toString(upstream_cost), NULL) AS upstream_cost,
       ${texts.join(", ")}, ${numbers.map((column) => `toString(${column}) AS ${column}`).join(", ")}
  -- Selected before, since the conditions would otherwise read the columns of text.
  FROM (SELECT * FROM ${usage} WHERE ${condition} ORDER BY start DESC, name DESC LIMIT ${limit})
 ORDER BY start DESC, name DESC`;

/** Reads a row of {@link rowsSql}. */
export const toUsageRow = (row: TextRow): UsageRow =>
  readUsageRow(row, {
    account: row.text("account_id"),
    estimated: row.optionalFlag("estimated") === true,
    tags: readTags(row.optionalJson("tags")),
    timeline: readTimeline(row.optionalJson("timeline")),
  });

const readTags = (tags: unknown): readonly string[] => (Array.isArray(tags) ? tags.map(String) : []);

const readTimeline = (steps: unknown): readonly TimelineStep[] => (isTimeline(steps) ? steps : []);

const isTimeline = (value: unknown): value is readonly TimelineStep[] => Array.isArray(value);
