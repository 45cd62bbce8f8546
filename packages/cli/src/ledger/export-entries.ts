import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { readChoice } from "../input/choices.ts";
import { readSequence } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import type { Session } from "../session.ts";
import { addEntryFilter, type EntryFilter } from "./entry-filter.ts";
import { entryFormats } from "./entry-formats.ts";
import { entryPages } from "./entry-pages.ts";
import { toEntryShape } from "./entry-shape.ts";

type FormatName = keyof typeof entryFormats;

interface Options extends EntryFilter {
  readonly account: string;
  readonly format?: FormatName;
  readonly after?: bigint;
}

/** Adds `ledger export`. */
export function addExportEntries(ledger: Command, run: Run): void {
  const command = ledger
    .command("export")
    .description("Write the entries of an account to the standard output, oldest first.")
    .requiredOption("--account <account>", "the account", readText("--account"))
    .option(
      "--format <format>",
      "csv, or jsonl for one JSON object per line (default: csv, or jsonl with --json)",
      readFormat,
    )
    .option("--after <sequence>", "only the entries after this one, to continue an export", readSequence("--after"));
  addEntryFilter(command)
    .addHelpText("after", example("ledger export --account acme --format jsonl > acme.jsonl"))
    .action((options: Options) => run((session) => exportEntries(session, options)));
}

async function exportEntries(session: Session, { account, format, after, ...filter }: Options): Promise<void> {
  if (session.json && format === "csv") throw new Failure("usage", "--json writes JSON lines. Omit --format csv.");
  const { head, line } = entryFormats[format ?? (session.json ? "jsonl" : "csv")];
  let last = after;
  try {
    await session.print(head);
    for await (const { entries } of entryPages(session, {
      account,
      ...filter,
      ...(after === undefined ? {} : { after }),
    })) {
      await session.print(entries.map((entry) => line(toEntryShape(entry))).join(""));
      last = entries.at(-1)?.sequence ?? last;
    }
  } catch (error) {
    throw error instanceof Failure ? interrupted(error, last) : error;
  }
}

/** Only complete lines have been written, so an interrupted export can be continued. */
const interrupted = (error: Failure, last: bigint | undefined): Failure =>
  last === undefined
    ? error
    : new Failure(error.code, `${error.message} Continue with --after ${last}.`, { after: String(last) });

const readFormat = readChoice<FormatName>("--format", ["csv", "jsonl"]);
