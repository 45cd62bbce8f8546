import { readUsageRow, type TextRow, usageColumns } from "@tollgate/core/internal";
import { attemptCounts, startOfBucket, type TimelineStep, toStorableText, type UsageRow } from "@tollgate/core/store";

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
  const { cost, upstream_cost, ...values } = usageColumns(row);
  return {
    ...values,
    account_id: row.account,
    cost: String(cost),
    upstream_cost: upstream_cost === undefined ? undefined : String(upstream_cost),
  };
}

/** Reads a row from its columns, of which `tags` is JSON. */
export const toUsageRow = (row: TextRow): UsageRow =>
  readUsageRow(row, {
    account: row.text("account_id"),
    estimated: row.optionalFlag("estimated") === true,
    tags: readTags(row),
    timeline: readTimeline(row),
  });

function readTags(row: TextRow): readonly string[] {
  const tags = row.optionalJson("tags");
  return Array.isArray(tags) ? tags.map(String) : [];
}

function readTimeline(row: TextRow): readonly TimelineStep[] {
  const steps: unknown = row.optionalJson("timeline");
  return isTimeline(steps) ? steps : [];
}

const isTimeline = (value: unknown): value is readonly TimelineStep[] => Array.isArray(value);
