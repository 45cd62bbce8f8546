import { formatAmount, GatewayError } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import { dialects, latencyBounds, type UsageFilter, type UsageQuery, type UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import { requireStore, usagePatienceMs } from "../operations/context.ts";
import { defineReport } from "../operations/lists.ts";
import { amountText, shownTokens, timeText, tokensAnswer } from "../schemas/answers.ts";
import { onlyTrue, queryNumber, text, time } from "../schemas/values.ts";

/** The filters of usage and requests in a query. */
export const usageFilters = {
  model: v.exactOptional(text),
  account: v.exactOptional(text),
  key: v.exactOptional(text),
  /** `provider/upstream_model`. */
  target: v.exactOptional(text),
  dialect: v.exactOptional(oneOf(...dialects)),
  status: v.exactOptional(queryNumber(100, 599)),
  session: v.exactOptional(text),
  end_user: v.exactOptional(text),
  tag: v.exactOptional(text),
  failed: v.exactOptional(onlyTrue),
  refused: v.exactOptional(onlyTrue),
};

/** What usage is summed by. */
export const usageDimensions = ["model", "account", "key", "target", "dialect", "status"] as const;

/** The times over which usage is summed. */
export const usageBuckets = ["hour", "day", "month", "all"] as const;

const nullableNumber = v.nullable(v.number());

/** The sums of a group in a bucket. `margin` is null without upstream costs; percentiles are null without requests. */
export const usageAnswer = v.strictObject({
  start: timeText,
  group: v.nullable(v.string()),
  others: v.boolean(),
  requests: v.number(),
  failed: v.number(),
  refused: v.number(),
  tokens: tokensAnswer,
  cost: amountText,
  upstream_cost: v.nullable(amountText),
  margin: v.nullable(amountText),
  p50_ms: nullableNumber,
  p95_ms: nullableNumber,
  first_content_p50_ms: nullableNumber,
  first_content_p95_ms: nullableNumber,
});

/** The sums of a group in a bucket. */
export type UsageSums = v.InferInput<typeof usageAnswer>;

/** Sums by bucket and group; by default of each of the last seven days. */
export const reportUsage = defineReport({
  name: "usage",
  path: "/usage",
  role: "viewer",
  summary: "Requests, tokens, cost and latency by time and by model, account, key, target, dialect or status",
  query: {
    from: v.exactOptional(time),
    to: v.exactOptional(time),
    bucket: v.exactOptional(oneOf(...usageBuckets)),
    group_by: v.exactOptional(oneOf(...usageDimensions)),
    top: v.exactOptional(queryNumber(1, 100)),
    ...usageFilters,
  },
  head: {
    from: timeText,
    to: timeText,
    bucket: v.picklist(usageBuckets),
    group_by: v.nullable(v.picklist(usageDimensions)),
  },
  item: usageAnswer,
  async report(context, { query: { bucket = "day", group_by, top, from, to, ...filters } }) {
    const period = readPeriod({ ...(from && { from }), ...(to && { to }) }, bucket);
    const usage = requireStore(context, "usage");
    const query = {
      ...period,
      bucket,
      filter: readFilter(filters),
      ...(group_by === undefined ? {} : { groupBy: group_by }),
      ...(top === undefined ? {} : { top }),
    };
    const rows = await context.ask(() => usage.summary(query), usagePatienceMs);
    const [start, end] = [period.from.toISOString(), period.to.toISOString()];
    return { head: { from: start, to: end, bucket, group_by: group_by ?? null }, pages: shownPages(rows) };
  },
});

const pageSize = 500;

/** A summary can have tens of thousands of rows, which are written in pages with a turn of the event loop between them. */
async function* shownPages(rows: readonly UsageSummaryRow[]): AsyncGenerator<readonly UsageSums[], undefined> {
  for (let first = 0; first < rows.length; first += pageSize) yield rows.slice(first, first + pageSize).map(shownRow);
  return undefined;
}

function shownRow({ start, group, others, ...sums }: UsageSummaryRow): UsageSums {
  const hasUpstream = sums.upstreamCost !== 0n || sums.costWithUpstream !== 0n;
  return {
    start: start.toISOString(),
    group: group ?? null,
    others,
    requests: sums.requests,
    failed: sums.failed,
    refused: sums.refused,
    tokens: shownTokens(sums.tokens),
    cost: formatAmount(sums.cost),
    upstream_cost: hasUpstream ? formatAmount(sums.upstreamCost) : null,
    margin: hasUpstream ? formatAmount(sums.costWithUpstream - sums.upstreamCost) : null,
    p50_ms: percentile(sums.durations, 0.5),
    p95_ms: percentile(sums.durations, 0.95),
    first_content_p50_ms: percentile(sums.firstContents, 0.5),
    first_content_p95_ms: percentile(sums.firstContents, 0.95),
  };
}

const dayMs = 86_400_000;

const defaultDays = 7;

/** The longest period of each bucket in days: it bounds the number of rows. */
const longest: Readonly<Record<UsageQuery["bucket"], number>> = { hour: 31, day: 1_096, month: 36_525, all: 36_525 };

/** Returns the period of a summary; the last seven days when absent. Throws 400 for an empty one, and for a bucket that is too fine. */
function readPeriod(period: { readonly from?: Date; readonly to?: Date }, bucket: UsageQuery["bucket"]) {
  const to = period.to ?? new Date();
  const from = period.from ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalid("from", "must be before `to`. Send an earlier time.");
  const days = (to.getTime() - from.getTime()) / dayMs;
  if (days <= longest[bucket]) return { from, to };
  const choices = { hour: "day, month or all", day: "month or all", month: "all", all: "all" };
  throw invalid(
    "bucket",
    `is too fine: ${bucket} allows ${longest[bucket]} days. Use ${choices[bucket]}, or a shorter period.`,
  );
}

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`${param}\` ${problem}`, { param });

/** Returns the filter of the port for the filters of a query, after their schemas. */
export const readFilter = ({
  end_user,
  request_id,
  answer_id,
  ...others
}: v.InferOutput<v.StrictObjectSchema<typeof usageFilters, undefined>> & {
  readonly request_id?: string;
  readonly answer_id?: string;
}): UsageFilter => ({
  ...others,
  ...(end_user === undefined ? {} : { endUser: end_user }),
  ...(request_id === undefined ? {} : { requestId: request_id }),
  ...(answer_id === undefined ? {} : { answerId: answer_id }),
});

/**
 * Estimates a percentile of a latency histogram in milliseconds, linear within a bucket; `share` is 0.95 for the 95th.
 * Beyond the last bound it is that bound. Null for an empty histogram.
 */
export function percentile(counts: readonly number[] | undefined, share: number): number | null {
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counts === undefined || total === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    const upper = latencyBounds[index];
    if (upper === undefined) break;
    if (count > 0 && below + count >= share * total) {
      const lower = latencyBounds[index - 1] ?? 0;
      return Math.round(lower + ((share * total - below) / count) * (upper - lower));
    }
    below += count;
  }
  return latencyBounds.at(-1) ?? null;
}
