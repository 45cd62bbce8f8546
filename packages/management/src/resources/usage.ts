import { formatAmount, GatewayError } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import { dialects, latencyBounds, type UsageFilter, type UsageQuery, type UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import { requireStore, usagePatienceMs } from "../operations/context.ts";
import { defineReport } from "../operations/lists.ts";
import { answerFrom } from "../schemas/answer.ts";
import { amountText, timeText, tokensAnswer } from "../schemas/answers.ts";
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
export const usageDimensions = ["model", "account", "key", "target", "dialect", "status", "end_user", "tag"] as const;

/** The times over which usage is summed. */
export const usageBuckets = ["hour", "day", "month", "all"] as const;

const nullableNumber = v.nullable(v.number());

/** The sums of a group in a bucket. `margin` is null without upstream costs; percentiles are null without requests. */
export const usageAnswer = answerFrom<UsageSummaryRow>()({
  start: [timeText, ({ start }) => start.toISOString()],
  group: [v.nullable(v.string()), ({ group }) => group ?? null],
  others: [v.boolean(), ({ others }) => others],
  requests: [v.number(), ({ requests }) => requests],
  failed: [v.number(), ({ failed }) => failed],
  refused: [v.number(), ({ refused }) => refused],
  tokens: [tokensAnswer.schema, ({ tokens }) => tokensAnswer.show(tokens)],
  cost: [amountText, ({ cost }) => formatAmount(cost)],
  upstream_cost: [v.nullable(amountText), (row) => (hasUpstreamCost(row) ? formatAmount(row.upstreamCost) : null)],
  margin: [v.nullable(amountText), (row) => (hasUpstreamCost(row) ? formatAmount(marginOf(row)) : null)],
  p50_ms: [nullableNumber, ({ durations }) => percentile(durations, 0.5)],
  p95_ms: [nullableNumber, ({ durations }) => percentile(durations, 0.95)],
  first_content_p50_ms: [nullableNumber, ({ firstContents }) => percentile(firstContents, 0.5)],
  first_content_p95_ms: [nullableNumber, ({ firstContents }) => percentile(firstContents, 0.95)],
});

const hasUpstreamCost = ({ upstreamCost, costWithUpstream }: UsageSummaryRow): boolean =>
  upstreamCost !== 0n || costWithUpstream !== 0n;

const marginOf = ({ upstreamCost, costWithUpstream }: UsageSummaryRow): bigint => costWithUpstream - upstreamCost;

/** The sums of a group in a bucket. */
export type UsageSums = v.InferInput<typeof usageAnswer.schema>;

/** Sums by bucket and group; by default of each of the last seven days. */
export const reportUsage = defineReport({
  name: "usage",
  path: "/usage",
  role: "viewer",
  summary:
    "Requests, tokens, cost and latency by time and by model, account, key, target, dialect, status, end user or tag",
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
  item: usageAnswer.schema,
  async report(context, { query: { bucket = "day", group_by, top, from, to, ...filters } }) {
    const period = readPeriod({ from, to }, bucket);
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
  for (let first = 0; first < rows.length; first += pageSize) {
    yield rows.slice(first, first + pageSize).map(usageAnswer.show);
  }
  return undefined;
}

const dayMs = 86_400_000;

const defaultDays = 7;

/** The longest period of each bucket in days: it bounds the number of rows. */
const longest: Readonly<Record<UsageQuery["bucket"], number>> = { hour: 31, day: 1_096, month: 36_525, all: 36_525 };

/** A time range, of which the end is not included. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Returns a period of usage; the last seven days when absent. Throws 400 for an empty one. */
export function periodOf(period: { readonly from?: Date | undefined; readonly to?: Date | undefined }): Period {
  const to = period.to ?? new Date();
  const from = period.from ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalid("from", "must be before `to`. Send an earlier time.");
  return { from, to };
}

/** Returns the number of days of a period. */
export const daysOf = ({ from, to }: Period): number => (to.getTime() - from.getTime()) / dayMs;

/** Returns the period of a summary. Throws 400 for an empty one, and for a bucket that is too fine. */
function readPeriod(wanted: Parameters<typeof periodOf>[0], bucket: UsageQuery["bucket"]): Period {
  const period = periodOf(wanted);
  if (daysOf(period) <= longest[bucket]) return period;
  const choices = { hour: "day, month or all", day: "month or all", month: "all", all: "all" };
  throw invalid(
    "bucket",
    `is too fine: ${bucket} allows ${longest[bucket]} days. Use ${choices[bucket]}, or a shorter period.`,
  );
}

/** The error for an invalid member of a query. */
export const invalid = (param: string, problem: string): GatewayError =>
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
