import type { TargetAttempts } from "@tollgate/core/store";
import {
  camelCase,
  reportUsage,
  requireStore,
  type UsageSums,
  usageBuckets,
  usageDimensions,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { renderItems, type Table } from "../output/table.ts";
import { allItems } from "../pages.ts";
import { readChoice, readCount, readPastTime, readText } from "../readers.ts";
import type { Session } from "../session.ts";

interface Options extends FilterOptions {
  readonly by?: (typeof usageDimensions)[number];
  readonly bucket: (typeof usageBuckets)[number];
  readonly top: number;
}

/** Adds `usage` and its subcommand. */
export function addUsageCommands(program: Command, run: Run): void {
  const show = program
    .command("usage")
    .description("Sum the usage of a period.")
    .addHelpText("after", example("usage show --by account --from 30d"))
    .command("show")
    .description("Sum the requests, tokens and cost of a period (default: the last seven days).")
    .option("--by <dimension>", `one row for each ${usageDimensions.join(", ")}`, readChoice("--by", usageDimensions))
    .option(
      "--bucket <period>",
      "one row for each hour, day or month in UTC",
      readChoice("--bucket", usageBuckets),
      "all",
    )
    .option("--top <n>", "the number of groups; the others are summed", readCount("--top"), 20);
  addFilterOptions(show)
    .addHelpText(
      "after",
      example("usage show --by account --from 30d", "usage show --by model --bucket day --account acme"),
    )
    .action((options: Options) => run((session) => showUsage(session, options)));
}

async function showUsage(session: Session, { by, ...options }: Options): Promise<void> {
  const query = { ...options, ...(by === undefined ? {} : { group_by: by }) };
  const { head, pages } = await reportUsage.report(session.context, { ...reading, query });
  const rows = await allItems(pages);
  const { from, to } = head;
  const attempts = by === "target" ? await attemptsIn(session, from, to) : undefined;
  const shown = rows.map(camelCase(reportUsage.item));
  await session.show({ from, to, rows: shown, attempts }, (width) => {
    const text = renderItems(rows, usageTable(by, options.bucket), width);
    return attempts === undefined || attempts.length === 0
      ? text
      : `${text}\n${renderItems(attempts, attemptsTable, width)}`;
  });
}

/** All attempts of the period, whatever the filter, since a target from which requests fail over answers none. */
function attemptsIn({ context }: Session, from: string, to: string): Promise<readonly TargetAttempts[]> {
  const usage = requireStore(context, "usage");
  return context.ask(() => usage.attempts({ from: new Date(from), to: new Date(to) }));
}

const usageTable = (by: Options["by"], bucket: Options["bucket"]): Table<UsageSums> => ({
  empty: "No requests were found in this period.",
  columns: [
    ...(bucket === "all"
      ? []
      : [{ title: "START", text: ({ start }: UsageSums) => start.slice(0, bucket === "hour" ? 13 : 10) }]),
    ...(by === undefined ? [] : [{ title: by.toUpperCase(), truncates: true, text: groupOf }]),
    { title: "REQUESTS", right: true, text: ({ requests }) => requests },
    { title: "FAILED", right: true, text: ({ failed }) => failed },
    { title: "REFUSED", right: true, text: ({ refused }) => refused },
    { title: "INPUT", right: true, text: ({ tokens }) => tokens.input },
    { title: "OUTPUT", right: true, text: ({ tokens }) => tokens.output },
    { title: "COST", right: true, text: ({ cost }) => cost },
  ],
});

const groupOf = ({ group, others }: UsageSums): string => group ?? (others ? "(others)" : "(none)");

const attemptsTable: Table<TargetAttempts> = {
  empty: "",
  columns: [
    { title: "TARGET", truncates: true, text: ({ provider, upstreamModel }) => `${provider}/${upstreamModel}` },
    { title: "ATTEMPTS", right: true, text: ({ attempts }) => attempts },
    {
      title: "ANSWERED",
      right: true,
      text: ({ attempts, failed }) => Object.values(failed).reduce((left, each) => left - each, attempts),
    },
    {
      title: "FAILED ATTEMPTS",
      truncates: true,
      text: ({ failed }) =>
        Object.entries(failed)
          .map(([failure, count]) => `${count} ${failure}`)
          .join(", "),
    },
  ],
};

/** The options that select requests. They have the names of the filters of the operations. */
export interface FilterOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly account?: string;
  readonly key?: string;
  readonly model?: string;
  readonly target?: string;
  readonly session?: string;
  readonly tag?: string;
  readonly failed?: true;
  readonly refused?: true;
}

/** Adds the options that select requests. */
export const addFilterOptions = (command: Command): Command =>
  command
    .option("--from <time>", "the first time: a date, a timestamp, or a duration ago", readPastTime("--from"))
    .option("--to <time>", "the time after the last one (default: now)", readPastTime("--to"))
    .option("--account <account>", "only this account", readText("--account"))
    .option("--key <id>", "only this key", readText("--key"))
    .option("--model <id>", "only this model", readText("--model"))
    .option("--target <provider/model>", "only this target", readText("--target"))
    .option("--session <id>", "only this session", readText("--session"))
    .option("--tag <tag>", "only keys with this tag", readText("--tag"))
    .option("--failed", "only failures: a status of 500 or more, or a broken stream")
    .option("--refused", "only refusals: a status of 400 to 499");
