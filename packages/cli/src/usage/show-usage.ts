import { formatAmount } from "@tollgate/core";
import type { UsageDimension, UsageQuery, UsageSummaryRow } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { readChoice } from "../input/choices.ts";
import { readCount } from "../input/numbers.ts";
import { renderTable } from "../output/table.ts";
import { addFilterOptions, type FilterOptions, toFilter } from "./usage-filter.ts";

interface Options extends FilterOptions {
  readonly by?: UsageDimension;
  readonly bucket: UsageQuery["bucket"];
  readonly top: number;
}

const dimensions: readonly UsageDimension[] = ["model", "account", "key", "target", "dialect", "status"];
const buckets: readonly UsageQuery["bucket"][] = ["hour", "day", "month", "all"];
const week = 7 * 86_400_000;

/** Adds `usage show`. */
export function addShowUsage(usage: Command, run: Run): void {
  const show = usage
    .command("show")
    .description("Sum the requests, tokens and cost of a period (default: the last seven days).")
    .option("--by <dimension>", `one row for each ${dimensions.join(", ")}`, readChoice("--by", dimensions))
    .option("--bucket <period>", "one row for each hour, day or month in UTC", readChoice("--bucket", buckets), "all")
    .option("--top <n>", "the number of groups; the others are summed", readCount("--top"), 20);
  addFilterOptions(show)
    .addHelpText(
      "after",
      example("usage show --by account --from 30d", "usage show --by model --bucket day --account acme"),
    )
    .action((options: Options) =>
      run(async (session) => {
        const query = toQuery(options);
        const rows = await session.call(() => session.usage.summary(query));
        const shape = { from: query.from.toISOString(), to: query.to.toISOString(), rows: rows.map(toShape) };
        await session.show(shape, (width) => render(rows, options, width));
      }),
    );
}

function toQuery({ by, bucket, top, ...options }: Options): UsageQuery {
  const to = options.to ?? new Date();
  const from = options.from ?? new Date(to.getTime() - week);
  if (from >= to) throw new Failure("usage", "--from must be before --to.");
  return { from, to, bucket, top, filter: toFilter(options), ...(by === undefined ? {} : { groupBy: by }) };
}

const toShape = ({ upstreamCost, costWithUpstream, ...row }: UsageSummaryRow): object => ({
  start: row.start,
  group: row.group,
  others: row.others,
  requests: row.requests,
  failed: row.failed,
  tokens: row.tokens,
  cost: formatAmount(row.cost),
  ...(upstreamCost === 0n && costWithUpstream === 0n
    ? {}
    : { upstreamCost: formatAmount(upstreamCost), margin: formatAmount(costWithUpstream - upstreamCost) }),
});

function render(rows: readonly UsageSummaryRow[], { by, bucket }: Options, width: number | undefined): string {
  if (rows.length === 0) return "No requests were found in this period.\n";
  const columns = [
    ...(bucket === "all" ? [] : [{ title: "START" }]),
    ...(by === undefined ? [] : [{ title: by.toUpperCase(), truncates: true }]),
    ...["REQUESTS", "FAILED", "INPUT", "OUTPUT", "COST"].map((title) => ({ title, right: true })),
  ];
  const cells = rows.map((row) => [
    ...(bucket === "all" ? [] : [row.start.toISOString().slice(0, bucket === "hour" ? 13 : 10)]),
    ...(by === undefined ? [] : [row.group ?? (row.others ? "(others)" : "(none)")]),
    ...[row.requests, row.failed, row.tokens.input, row.tokens.output].map(String),
    formatAmount(row.cost),
  ]);
  return renderTable(columns, cells, width);
}
