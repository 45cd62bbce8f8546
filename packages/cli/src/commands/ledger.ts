import { csvLine } from "@tollgate/core/internal";
import { type EntryQuery, entryKinds } from "@tollgate/core/store";
import {
  camelCase,
  listEntries,
  pagesOf,
  readEntries,
  type ShownEntry,
  verifyLedger,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { renderItems, shortTime, type Table } from "../output/table.ts";
import { itemPages, take } from "../pages.ts";
import { readChoice, readCount, readPastTime, readSequence, readText } from "../readers.ts";
import type { Session } from "../session.ts";
import { addRefund } from "./refund.ts";

/** Adds `ledger` and its subcommands. */
export function addLedgerCommands(program: Command, run: Run): void {
  const ledger = program
    .command("ledger")
    .description("Show, refund, export and verify the entries of the ledger.")
    .addHelpText("after", example("ledger export --account acme > acme.csv"));
  addEntries(ledger, run);
  addRefund(ledger, run);
  addExport(ledger, run);
  addVerify(ledger, run);
}

type EntryFilter = Pick<EntryQuery, "kind" | "from" | "to">;

const readKind = readChoice("--kind", entryKinds);

const addFilterOptions = (command: Command): Command =>
  command
    .option("--kind <kind>", "only credit, debit, charge, expiry, late, refund or lapse", readKind)
    .option("--from <time>", "only entries since a date, a timestamp or a duration ago", readPastTime("--from"))
    .option("--to <time>", "only entries before a date, a timestamp or a duration ago", readPastTime("--to"));

function addEntries(ledger: Command, run: Run): void {
  const command = ledger
    .command("entries")
    .description("Show the last entries of an account, newest first. `ledger export` writes all of them.")
    .argument("<account>", "the account", readText("The account"))
    .option("--last <n>", "the number of entries", readCount("--last"), 20);
  addFilterOptions(command)
    .addHelpText("after", example("ledger entries acme --last 50 --kind credit --from 30d"))
    .action((account: string, { last, ...query }: EntryFilter & { readonly last: number }) =>
      run(async (session) => {
        const open = (limit: number) =>
          pagesOf(listEntries, session.context, { ...reading, id: account, query, limit });
        const found = await take(last, open);
        const entries = found.map((entry) => entryShape({ account, ...entry }));
        await session.show({ account, entries }, (width) => renderItems(found, table, width));
      }),
    );
}

const table: Table<ShownEntry> = {
  empty: "The account has no entries.",
  columns: [
    { title: "SEQUENCE", right: true, text: ({ sequence }) => sequence },
    { title: "AT", text: ({ at }) => shortTime(at) },
    { title: "KIND", text: ({ kind }) => kind },
    { title: "AMOUNT", right: true, text: ({ amount }) => amount },
    { title: "REASON", truncates: true, text: reasonOf },
    { title: "REFERENCE", truncates: true, text: ({ reference }) => reference },
  ],
};

/** Why money came or went: the reason of a posting, the receipt of a charge, or the lot that expired. */
function reasonOf({ kind, reason, receipt, lots }: ShownEntry): string | null {
  if (reason !== null) return reason;
  if (receipt !== null) return summarize(receipt, kind);
  const [lot] = lots ?? [];
  return lot?.expires_at == null ? null : `${lot.kind} money, expired on ${lot.expires_at.slice(0, 10)}`;
}

/**
 * Formats a receipt as a short line: the model, the provider, the tokens, and the basis unless the provider reported them; of
 * a charge by the host, its description.
 */
function summarize({ model, description, charge }: NonNullable<ShownEntry["receipt"]>, kind: string): string {
  const expired = kind === "expiry" ? ", expired" : "";
  if (charge === null) return `${description ?? model}${expired}`;
  const { provider, tokens, basis } = charge;
  const note = basis === "reported" ? "" : `, ${basis}`;
  return `${model} by ${provider}, ${tokens.input} + ${tokens.output} tokens${note}`;
}

interface ExportOptions extends EntryFilter {
  readonly account: string;
  readonly format?: keyof typeof entryFormats;
  readonly after?: bigint;
}

function addExport(ledger: Command, run: Run): void {
  const command = ledger
    .command("export")
    .description("Write the entries of an account to the standard output, oldest first.")
    .requiredOption("--account <account>", "the account", readText("--account"))
    .option(
      "--format <format>",
      "csv, or jsonl for one JSON object per line (default: csv, or jsonl with --json)",
      readChoice("--format", ["csv", "jsonl"]),
    )
    .option("--after <sequence>", "only the entries after this one, to continue an export", readSequence("--after"));
  addFilterOptions(command)
    .addHelpText("after", example("ledger export --account acme --format jsonl > acme.jsonl"))
    .action((options: ExportOptions) => run((session) => exportEntries(session, options)));
}

const pageSize = 1_000;

async function exportEntries(session: Session, { format, after: start, ...query }: ExportOptions): Promise<void> {
  if (session.json && format === "csv") throw new Failure("usage", "--json writes JSON lines. Omit --format csv.");
  const { head, line } = entryFormats[format ?? (session.json ? "jsonl" : "csv")];
  const { account } = query;
  const pages = itemPages(async (after: bigint | undefined) => {
    const page = { ...query, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { entries: items, ...next } = await readEntries(session.context, page);
    return { items, ...next };
  }, start);
  let last = start?.toString();
  try {
    await session.print(head);
    for await (const entries of pages) {
      await session.print(entries.map((entry) => line({ account, ...entry })).join(""));
      last = entries.at(-1)?.sequence ?? last;
    }
  } catch (error) {
    throw error instanceof Failure ? interrupted(error, last) : error;
  }
}

/** Only complete lines have been written, so an interrupted export can be continued. */
const interrupted = (error: Failure, last: string | undefined): Failure =>
  last === undefined
    ? error
    : new Failure(error.code, `${error.message} Continue with --after ${last}.`, { after: last });

function addVerify(ledger: Command, run: Run): void {
  ledger
    .command("verify")
    .description("Recompute every sum of the ledger. Exits with 1 when the ledger is inconsistent.")
    .addHelpText("after", example("ledger verify"))
    .action(() =>
      run(async (session) => {
        const { ok, violations } = await verifyLedger.run(session.context, reading);
        await session.show({ ok, violations }, () =>
          ok ? "The ledger is consistent.\n" : violations.map(({ problem }) => `${printable(problem)}\n`).join(""),
        );
        if (!ok) throw inconsistency(violations.length);
      }),
    );
}

const inconsistency = (count: number): Failure =>
  new Failure(
    "violations_found",
    `The ledger has ${count} ${count === 1 ? "inconsistency" : "inconsistencies"}. Back up the database, ` +
      "and inspect the accounts above with `tollgate ledger export`.",
  );

/** An entry of an export, which can be that of several accounts. */
type ExportedEntry = { readonly account: string } & Omit<ShownEntry, "receipt" | "lots"> & Partial<ShownEntry>;

const ofEntry = camelCase(listEntries.item);

/** An entry in the output of --json and JSON lines. */
const entryShape = (entry: ExportedEntry): object => ({ ...ofEntry(entry), account: entry.account });

// A receipt has too many members for a row. JSON lines contain it.
const columns = ["sequence", "at", "account", "kind", "amount", "reference", "reason"] as const;

/** The formats of an export by name: its head, and the line of an entry, both with their line breaks. */
export const entryFormats = {
  csv: {
    head: csvLine(columns),
    line: (entry: ExportedEntry): string => csvLine(columns.map((name) => entry[name])),
  },
  jsonl: { head: "", line: (entry: ExportedEntry): string => `${JSON.stringify(entryShape(entry))}\n` },
};
