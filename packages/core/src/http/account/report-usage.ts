import { GatewayError } from "../../errors/gateway-error.ts";
import { dividePieces, nextBucketStart, startOfBucket } from "../../events/usage-pieces.ts";
import type { UsageRecorder } from "../../events/usage-recorder.ts";
import { formatAmount } from "../../options/decimal.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { UsageQuery, UsageSummaryRow } from "../../ports/usage-store.ts";
import type { Admission } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { byteLength } from "../../wire/bytes.ts";
import { csvLine } from "../../wire/csv.ts";
import { requestUrl } from "../request-url.ts";
import { shownTokens } from "./shown-values.ts";

/** GET /usage: what the account used, by time and by a dimension, as JSON or CSV. */
export async function reportUsage(services: Services, { exchange, caller }: Admission): Promise<GatewayResponse> {
  const { account } = caller.key;
  const asked = readQuery(requestUrl(exchange.request).searchParams);
  const usage = requireUsage(services);
  const query = { ...asked.query, filter: { account } };
  await requireFewRows(services, usage, query);
  const rows = await summaryOf(services, usage, query);
  const shown = rows.map((row) => shownRow(row, asked.groupBy === "day"));
  if (asked.format === "csv") return csvResponse(exchange.headers, shown);
  const { from, to, bucket } = query;
  return jsonResponse(200, exchange.headers, {
    from: from.toISOString(),
    to: to.toISOString(),
    bucket,
    group_by: asked.groupBy ?? null,
    data: shown,
  });
}

/** Throws the error of a gateway that records no usage. */
function requireUsage({ usage }: Services): UsageRecorder {
  if (usage !== undefined) return usage;
  throw new GatewayError(
    "not_configured",
    "This service does not record usage. Its operator can turn it on with the option `usage` of the gateway.",
  );
}

const groups = ["model", "key", "day", "end_user", "tag", "dialect"] as const;
const buckets = ["hour", "day", "month", "all"] as const;
const formats = ["json", "csv"] as const;

const dayMs = 86_400_000;
const defaultDays = 7;
/** The longest period of each bucket in days, without groups and in groups. It bounds what is read and answered. */
const longestDays: Readonly<Record<UsageQuery["bucket"], readonly [ungrouped: number, grouped: number]>> = {
  hour: [31, 31],
  day: [366, 93],
  month: [3_660, 366],
  all: [3_660, 366],
};
/** The groups in each of many buckets, and in the only one. The others are summed. */
const [topOfBucket, topOfAll] = [20, 1_000];

function readQuery(parameters: URLSearchParams) {
  const groupBy = readChoice(parameters, "group_by", groups);
  const format = readChoice(parameters, "format", formats) ?? "json";
  const bucket = readChoice(parameters, "bucket", buckets) ?? "day";
  if (groupBy === "day" && bucket !== "day") throw invalid("bucket", 'must be "day" if `group_by` is "day".');
  const isGrouped = groupBy !== undefined && groupBy !== "day";
  const query: UsageQuery = {
    ...readPeriod(parameters, bucket, isGrouped),
    bucket,
    top: bucket === "all" ? topOfAll : topOfBucket,
    ...(isGrouped && { groupBy }),
  };
  return { query, groupBy, format };
}

/** Reads the period and extends it to whole days, or hours for a bucket of an hour. Throws 400 for an invalid one. */
function readPeriod(parameters: URLSearchParams, bucket: UsageQuery["bucket"], isGrouped: boolean) {
  const end = readTime(parameters, "to") ?? Date.now();
  const start = readTime(parameters, "from") ?? end - defaultDays * dayMs;
  if (start >= end) throw invalid("from", "must be before `to`. Send an earlier time.");
  const unit = bucket === "hour" ? "hour" : "day";
  const [from, to] = [startOfBucket(unit, start), nextBucketStart(unit, end)];
  const days = longestDays[bucket][isGrouped ? 1 : 0];
  if (to - from <= days * dayMs) return { from: new Date(from), to: new Date(to) };
  const groups = isGrouped ? " in groups" : "";
  throw invalid(
    "from",
    `and \`to\` may be at most ${days} days apart for the bucket "${bucket}"${groups}. Ask for fewer days, or a longer bucket.`,
  );
}

function readChoice<Choice extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw invalid(name, `must be ${choices.map((choice) => `"${choice}"`).join(" or ")}.`);
  return found;
}

/** A date, or a time with its zone. */
const timeForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function readTime(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const at = timeForm.test(text) ? Date.parse(text) : Number.NaN;
  if (at >= 0) return at;
  throw invalid(name, 'must be a date such as "2027-01-31", or a time with its zone such as "2027-01-31T00:00:00Z".');
}

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`${param}\` ${problem}`, { param });

/** The most requests whose rows are summed for one answer. More would hold up the database for others. */
const maxRows = 5_000;

/** Throws 400 if the answer needs the rows of the requests, of which the period has too many. */
async function requireFewRows(services: Services, usage: UsageRecorder, query: UsageQuery): Promise<void> {
  if (dividePieces(query).every(({ totals }) => totals !== undefined)) return;
  const { groupBy: _, ...all } = query;
  const rows = await summaryOf(services, usage, { ...all, bucket: "all" });
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  if (requests <= maxRows) return;
  throw invalid(
    "from",
    `and \`to\` enclose ${requests} requests, of which at most ${maxRows} can be summed by "${query.groupBy}" for the bucket "${query.bucket}". Ask for a shorter period.`,
  );
}

const summaryOf = (services: Services, { store }: UsageRecorder, query: UsageQuery) =>
  callStoreWithTimeout<readonly UsageSummaryRow[]>(services.storeTimeoutMs, () => store.summary(query), Array.isArray);

function shownRow({ start, group, others, ...sums }: UsageSummaryRow, isGroupedByDay: boolean) {
  return {
    start: start.toISOString(),
    group: isGroupedByDay ? start.toISOString().slice(0, "2027-01-31".length) : (group ?? null),
    others,
    requests: sums.requests,
    failed: sums.failed,
    refused: sums.refused,
    tokens: shownTokens(sums.tokens),
    cost: formatAmount(sums.cost),
  };
}

type ShownRow = ReturnType<typeof shownRow>;

function csvResponse(headers: Record<string, string>, rows: readonly ShownRow[]): GatewayResponse {
  const body = csvLine(columns) + rows.map(cellsOf).map(csvLine).join("");
  headers["content-type"] = "text/csv; charset=utf-8";
  headers["content-disposition"] = 'attachment; filename="usage.csv"';
  headers["content-length"] = String(byteLength(body));
  return { status: 200, headers, body };
}

const tokenClasses = ["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"] as const;
const columns = [
  ...["start", "group", "others", "requests", "failed", "refused"],
  ...tokenClasses.map((name) => `tokens.${name}`),
  "cost",
];

const cellsOf = (row: ShownRow) => [
  ...[row.start, row.group, row.others, row.requests, row.failed, row.refused],
  ...tokenClasses.map((name) => row.tokens[name]),
  row.cost,
];
