import type { Entry } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readCount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import type { Session } from "../session.ts";
import { entryPages } from "./entry-pages.ts";
import { summarize, toEntryShape } from "./entry-shape.ts";

interface Options {
  readonly last: number;
}

/** Adds `ledger entries`. */
export function addListEntries(ledger: Command, run: Run): void {
  ledger
    .command("entries")
    .description("Show the last entries of an account, oldest first. `ledger export` writes all of them.")
    .argument("<account>", "the account", readText("The account"))
    .option("--last <n>", "the number of entries", readCount("--last"), 20)
    .addHelpText("after", example("ledger entries acme --last 50"))
    .action((account: string, { last }: Options) =>
      run(async (session) => {
        const entries = await lastEntries(session, account, last);
        await session.show({ account, entries: entries.map(toEntryShape) }, (width) => renderEntries(entries, width));
      }),
    );
}

/**
 * Reads the last entries. The port only pages forwards, so this reads all pages but keeps only the last entries in
 * memory.
 */
async function lastEntries(session: Session, account: string, count: number): Promise<readonly Entry[]> {
  const last: Entry[] = [];
  for await (const { entries } of entryPages(session, account)) {
    last.push(...entries);
    last.splice(0, last.length - count);
  }
  return last;
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
