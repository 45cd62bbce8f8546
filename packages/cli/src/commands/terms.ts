import { acceptTerms, camelCase, listAcceptances, pagesOf } from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run, reading } from "../command.ts";
import { allItems } from "../pages.ts";
import { readText } from "../readers.ts";

/** Adds `terms` and its subcommands. */
export function addTermsCommands(program: Command, run: Run): void {
  const terms = program
    .command("terms")
    .description("List who has accepted the terms, and record an acceptance.")
    .addHelpText("after", example("terms list --account acme"));
  addList(terms, run);
  addAccept(terms, run);
}

function addList(terms: Command, run: Run): void {
  terms
    .command("list")
    .description("List acceptances in the order of their accounts.")
    .option("--account <account>", "only the acceptances of this account", readText("--account"))
    .option("--version-id <id>", "only the acceptances of this version", readText("--version-id"))
    .addHelpText("after", example("terms list --account acme", "terms list --version-id terms-2026-01 --json"))
    .action(({ versionId, ...filters }: { readonly account?: string; readonly versionId?: string }) =>
      run(async (session) => {
        const query = { ...filters, ...(versionId === undefined ? {} : { version_id: versionId }) };
        const found = await allItems(pagesOf(listAcceptances, session.context, { ...reading, query }));
        await session.showItems("acceptances", listAcceptances.item, found, {
          empty: "No acceptances were found.",
          columns: [
            { title: "ACCOUNT", truncates: true, text: ({ account }) => account },
            { title: "VERSION", truncates: true, text: ({ version_id }) => version_id },
            { title: "ACCEPTED", text: ({ accepted_at }) => accepted_at },
          ],
        });
      }),
    );
}

function addAccept(terms: Command, run: Run): void {
  const accept = terms
    .command("accept")
    .description("Record that an account has accepted a version. The date of the first acceptance stays.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<version>", "the id of the version, as in the gateway's options", readText("The version"));
  addActorOption(accept)
    .addHelpText("after", example("terms accept acme terms-2026-01"))
    .action((account: string, version: string, { actor }: ActorOption) =>
      run(async (session) => {
        const call = { ...calledBy(actor), id: account, body: { version_id: version } };
        const accepted = await acceptTerms.run(session.context, call);
        await session.show(
          camelCase(acceptTerms.answer)(accepted),
          () => `${account} has accepted ${version} since ${accepted.accepted_at}.\n`,
        );
      }),
    );
}
