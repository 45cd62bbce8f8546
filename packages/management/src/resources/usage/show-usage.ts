import { formatAmount } from "@tollgate/core";
import { type GatewayResponse, jsonTextResponse, nextTurn, oneOf } from "@tollgate/core/internal";
import type { UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import { exportRows } from "../../exports/export-rows.ts";
import { exportFormats, exportTypes } from "../../exports/formats.ts";
import { noBody } from "../../routes/read-body.ts";
import { parametersOf, readQuery } from "../../routes/read-query.ts";
import type { ManagementRoute, OperatorCall } from "../../routes/route.ts";
import { amountText, shownTokens, timeText, tokensAnswer } from "../../schemas/answers.ts";
import { queryNumber, time } from "../../schemas/values.ts";
import type { ManagementServices } from "../../services.ts";
import { askStore, patiently, requireStore } from "../../stores.ts";
import { readFilter, usageFilters } from "./filters.ts";
import { percentile } from "./percentile.ts";
import { readPeriod } from "./period.ts";

const dimensions = ["model", "account", "key", "target", "dialect", "status"] as const;

const query = {
  from: v.exactOptional(time),
  to: v.exactOptional(time),
  bucket: v.exactOptional(oneOf("hour", "day", "month", "all")),
  group_by: v.exactOptional(oneOf(...dimensions)),
  top: v.exactOptional(queryNumber(1, 100)),
  format: v.exactOptional(oneOf("json", ...exportFormats)),
  ...usageFilters,
};

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

/** GET /usage: sums by bucket and group. */
export const showUsage: ManagementRoute = {
  name: "usage",
  method: "GET",
  path: "/usage",
  role: "viewer",
  summary: "Requests, tokens, cost and latency by time and by model, account, key, target, dialect or status",
  status: 200,
  query,
  body: noBody,
  answer: v.strictObject({
    from: timeText,
    to: timeText,
    bucket: v.picklist(["hour", "day", "month", "all"]),
    group_by: v.nullable(v.picklist(dimensions)),
    data: v.array(usageAnswer),
  }),
  exports: Object.values(exportTypes),
  respond,
};

async function respond(services: ManagementServices, call: OperatorCall): Promise<GatewayResponse> {
  const { context } = call;
  const {
    format,
    bucket = "day",
    group_by,
    top,
    from,
    to,
    ...filters
  } = readQuery(parametersOf(context.request), query);
  const period = readPeriod({ ...(from && { from }), ...(to && { to }) }, bucket);
  const usage = requireStore(services, "usage");
  const question = {
    ...period,
    bucket,
    filter: readFilter(filters),
    ...(group_by === undefined ? {} : { groupBy: group_by }),
    ...(top === undefined ? {} : { top }),
  };
  const rows = await askStore(patiently(services), () => usage.summary(question));
  if (format === "csv" || format === "jsonl") {
    return exportRows(services, call, { format, name: "usage", item: usageAnswer, pages: shownPages(rows) });
  }
  const [start, end] = [period.from.toISOString(), period.to.toISOString()];
  const head = JSON.stringify({ from: start, to: end, bucket, group_by: group_by ?? null });
  const texts: string[] = [];
  for await (const page of shownPages(rows)) {
    texts.push(...page.map((row) => JSON.stringify(row)));
    await nextTurn();
  }
  return jsonTextResponse(200, context.meta.headers, `${head.slice(0, -1)},"data":[${texts.join(",")}]}`);
}

const pageSize = 500;

/** A summary can have tens of thousands of rows, which are written in pages with a turn of the event loop between them. */
async function* shownPages(
  rows: readonly UsageSummaryRow[],
): AsyncGenerator<readonly v.InferInput<typeof usageAnswer>[], undefined> {
  for (let first = 0; first < rows.length; first += pageSize) yield rows.slice(first, first + pageSize).map(shownRow);
  return undefined;
}

function shownRow({ start, group, others, ...sums }: UsageSummaryRow): v.InferInput<typeof usageAnswer> {
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
