import type { AuditEntry } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readCount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { firstItems } from "../pages.ts";

interface Options {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly last: number;
}

/** Adds `audit list`. */
export function addListAudit(audit: Command, run: Run): void {
  audit
    .command("list")
    .description("List changes, newest first. --json shows the state before and after each change.")
    .option("--actor <name>", "only the changes of this operator", readText("--actor"))
    .option("--action <name>", "only changes of this kind, such as key.revoke", readText("--action"))
    .option("--subject <name>", "only changes of this subject, such as account:acme", readText("--subject"))
    .option("--last <n>", "the number of changes", readCount("--last"), 20)
    .addHelpText("after", example("audit list --actor ann --action key.revoke --last 50"))
    .action(({ last, ...filter }: Options) =>
      run(async (session) => {
        const found = await firstItems(last, async (limit, before: bigint | undefined) => {
          const query = { ...filter, limit, ...(before === undefined ? {} : { before }) };
          const { entries, ...next } = await session.call(() => session.audit.list(query));
          return { items: entries, ...next };
        });
        await session.show({ entries: found.map(toShape) }, (width) => render(found, width));
      }),
    );
}

/** Members are copied one by one, because a store of the host can return others that must not be shown. */
const toShape = ({ sequence, at, actor, action, subject, before, after }: AuditEntry) => ({
  sequence: String(sequence),
  at: at.toISOString(),
  actor,
  action,
  subject,
  before,
  after,
});

function render(entries: readonly AuditEntry[], width: number | undefined): string {
  if (entries.length === 0) return "No changes were found.\n";
  const columns = [
    { title: "SEQUENCE", right: true },
    { title: "AT" },
    { title: "ACTOR", truncates: true },
    { title: "ACTION", truncates: true },
    { title: "SUBJECT", truncates: true },
  ];
  const cells = entries.map(({ sequence, at, actor, action, subject }) => [
    String(sequence),
    `${at.toISOString().slice(0, 19)}Z`,
    actor,
    action,
    subject,
  ]);
  return renderTable(columns, cells, width);
}
