import { formatAmount } from "@tollgate/core";
import type { UsagePosition, UsageRow } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readCount } from "../input/numbers.ts";
import { renderTable } from "../output/table.ts";
import { firstItems } from "../pages.ts";
import type { Session } from "../session.ts";
import { toRequestShape } from "./request-shape.ts";
import { addFilterOptions, type FilterOptions, toFilter } from "./usage-filter.ts";

interface Options extends FilterOptions {
  readonly last: number;
}

/** Adds `requests list`. */
export function addListRequests(requests: Command, run: Run): void {
  const list = requests
    .command("list")
    .description("List finished requests, newest first.")
    .option("--last <n>", "the number of requests", readCount("--last"), 20);
  addFilterOptions(list)
    .addHelpText("after", example("requests list --account acme --failed --from 24h"))
    .action((options: Options) =>
      run(async (session) => {
        const rows = await findRequests(session, options);
        await session.show({ requests: rows.map(toRequestShape) }, (width) => render(rows, width));
      }),
    );
}

async function findRequests(session: Session, { last, from, to, ...options }: Options): Promise<readonly UsageRow[]> {
  const query = {
    filter: toFilter(options),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  return firstItems(last, async (limit, before: UsagePosition | undefined) => {
    const page = { ...query, limit, ...(before && { before }) };
    const { rows, ...next } = await session.call(() => session.usage.list(page));
    return { items: rows, ...next };
  });
}

function render(rows: readonly UsageRow[], width: number | undefined): string {
  if (rows.length === 0) return "No requests were found.\n";
  const columns = [
    { title: "AT" },
    { title: "STATUS", right: true },
    { title: "COST", right: true },
    { title: "MS", right: true },
    { title: "MODEL", truncates: true },
    { title: "ACCOUNT", truncates: true },
    { title: "REQUEST", truncates: true },
  ];
  const cells = rows.map((row) => [
    `${row.at.toISOString().slice(0, 19)}Z`,
    String(row.status),
    formatAmount(row.cost),
    String(row.durationMs),
    row.model ?? "",
    row.account,
    row.requestId,
  ]);
  return renderTable(columns, cells, width);
}
