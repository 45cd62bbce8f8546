import { listAudit, pagesOf } from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { shortTime } from "../output/table.ts";
import { take } from "../pages.ts";
import { readCount, readText } from "../readers.ts";

/** Adds `audit` and its subcommand. */
export function addAuditCommands(program: Command, run: Run): void {
  program
    .command("audit")
    .description("List the changes that operators made.")
    .addHelpText("after", example("audit list --actor ann"))
    .command("list")
    .description("List changes, newest first. --json shows the state before and after each change.")
    .option("--actor <name>", "only the changes of this operator", readText("--actor"))
    .option("--action <name>", "only changes of this kind, such as key.revoke", readText("--action"))
    .option("--subject <name>", "only changes of this subject, such as account:acme", readText("--subject"))
    .option("--last <n>", "the number of changes", readCount("--last"), 20)
    .addHelpText("after", example("audit list --actor ann --action key.revoke --last 50"))
    .action(({ last, ...query }: Partial<Record<"actor" | "action" | "subject", string>> & { readonly last: number }) =>
      run(async (session) => {
        const found = await take(last, (limit) => pagesOf(listAudit, session.context, { ...reading, query, limit }));
        await session.showItems("entries", listAudit.item, found, {
          empty: "No changes were found.",
          columns: [
            { title: "SEQUENCE", right: true, text: ({ sequence }) => sequence },
            { title: "AT", text: ({ at }) => shortTime(at) },
            { title: "ACTOR", truncates: true, text: ({ actor }) => actor },
            { title: "ACTION", truncates: true, text: ({ action }) => action },
            { title: "SUBJECT", truncates: true, text: ({ subject }) => subject },
          ],
        });
      }),
    );
}
