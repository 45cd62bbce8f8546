import { acceptTerms } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readText } from "../input/text.ts";
import { toAcceptanceShape } from "./acceptance-shape.ts";

/** Adds `terms accept`. */
export function addAcceptTerms(terms: Command, run: Run): void {
  const accept = terms
    .command("accept")
    .description("Record that an account has accepted a version. The date of the first acceptance stays.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<version>", "the id of the version, as in the gateway's options", readText("The version"));
  addActorOption(accept)
    .addHelpText("after", example("terms accept acme terms-2026-01"))
    .action((account: string, version: string, { actor }: ActorOption) =>
      run(async (session) => {
        const accepted = await acceptTerms(session.administrator(actor), account, version, () =>
          session.call(() => session.terms.accept(account, version)),
        );
        const shape = toAcceptanceShape(accepted);
        await session.show(shape, () => `${account} has accepted ${version} since ${shape.acceptedAt}.\n`);
      }),
    );
}
