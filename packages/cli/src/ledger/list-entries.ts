import type { Entry } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readCount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { firstItems } from "../pages.ts";
import { addEntryFilter, type EntryFilter } from "./entry-filter.ts";
import { summarize, toEntryShape } from "./entry-shape.ts";

interface Options extends EntryFilter {
  readonly last: number;
}

/** Adds `ledger entries`. */
export function addListEntries(ledger: Command, run: Run): void {
  const command = ledger
    .command("entries")
    .description("Show the last entries of an account, newest first. `ledger export` writes all of them.")
    .argument("<account>", "the account", readText("The account"))
    .option("--last <n>", "the number of entries", readCount("--last"), 20);
  addEntryFilter(command)
    .addHelpText("after", example("ledger entries acme --last 50 --kind credit --from 30d"))
    .action((account: string, { last, ...filter }: Options) =>
      run(async (session) => {
        const entries = await firstItems(last, async (limit, after: bigint | undefined) => {
          const query = { account, limit, newestFirst: true, ...filter, ...(after === undefined ? {} : { after }) };
          const { entries: items, ...next } = await session.call(() => session.balances.entries(query));
          return { items, ...next };
        });
        await session.show({ account, entries: entries.map(toEntryShape) }, (width) => renderEntries(entries, width));
      }),
    );
}

function renderEntries(entries: readonly Entry[], width: number | undefined): string {
  if (entries.length === 0) return "The account has no entries.\n";
  const columns = [
    { title: "SEQUENCE", right: true },
    { title: "AT" },
    { title: "KIND" },
    { title: "AMOUNT", right: true },
    { title: "REASON", truncates: true },
    { title: "REFERENCE", truncates: true },
  ];
  const rows = entries.map(toEntryShape).map(({ sequence, at, kind, amount, reason, receipt, reference }) => {
    const time = `${at.slice(0, 19)}Z`;
    return [sequence, time, kind, amount, reason ?? (receipt ? summarize(receipt) : ""), reference];
  });
  return renderTable(columns, rows, width);
}
