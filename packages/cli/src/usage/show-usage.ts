import { formatAmount } from "@tollgate/core";
import type { TargetAttempts, UsageDimension, UsageQuery, UsageSummaryRow } from "@tollgate/core/store";
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
        const attempts = options.by === "target" ? await session.call(() => session.usage.attempts(query)) : undefined;
        const period = { from: query.from.toISOString(), to: query.to.toISOString() };
        await session.show(
          { ...period, rows: rows.map(toShape), attempts },
          (width) => render(rows, options, width) + (attempts === undefined ? "" : renderAttempts(attempts, width)),
        );
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
  refused: row.refused,
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
    ...["REQUESTS", "FAILED", "REFUSED", "INPUT", "OUTPUT", "COST"].map((title) => ({ title, right: true })),
  ];
  const cells = rows.map((row) => [
    ...(bucket === "all" ? [] : [row.start.toISOString().slice(0, bucket === "hour" ? 13 : 10)]),
    ...(by === undefined ? [] : [row.group ?? (row.others ? "(others)" : "(none)")]),
    ...[row.requests, row.failed, row.refused, row.tokens.input, row.tokens.output].map(String),
    formatAmount(row.cost),
  ]);
  return renderTable(columns, cells, width);
}

/** All attempts of the period, whatever the filter, since a target from which requests fail over answers none. */
function renderAttempts(attempts: readonly TargetAttempts[], width: number | undefined): string {
  if (attempts.length === 0) return "";
  const columns = [
    { title: "TARGET", truncates: true },
    { title: "ATTEMPTS", right: true },
    { title: "ANSWERED", right: true },
    { title: "FAILED ATTEMPTS", truncates: true },
  ];
  const cells = attempts.map(({ provider, upstreamModel, attempts: count, failed }) => {
    const failures = Object.entries(failed);
    const answered = failures.reduce((left, [, each]) => left - each, count);
    const classes = failures.map(([failure, each]) => `${each} ${failure}`).join(", ");
    return [`${provider}/${upstreamModel}`, String(count), String(answered), classes];
  });
  return `\n${renderTable(columns, cells, width)}`;
}
