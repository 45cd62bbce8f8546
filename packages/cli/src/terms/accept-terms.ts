import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { toAcceptanceShape } from "./acceptance-shape.ts";

/** Adds `terms accept`. */
export function addAcceptTerms(terms: Command, run: Run): void {
  terms
    .command("accept")
    .description("Record that an account has accepted a version. The date of the first acceptance stays.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<version>", "the id of the version, as in the gateway's options", readText("The version"))
    .addHelpText("after", example("terms accept acme terms-2026-01"))
    .action((account: string, version: string) =>
      run(async (session) => {
        const shape = toAcceptanceShape(await session.call(() => session.terms.accept(account, version)));
        await session.show(shape, () => `${account} has accepted ${version} since ${shape.acceptedAt}.\n`);
      }),
    );
}
