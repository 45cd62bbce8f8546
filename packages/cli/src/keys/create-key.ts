import { presentMembers } from "@tollgate/core/store";
import { createKey } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { misread, readText } from "../input/text.ts";
import { addMemberOptions, type MemberOptions, toChanges } from "./member-options.ts";
import { showNewKey } from "./show-new-key.ts";

interface Options extends MemberOptions, ActorOption {
  readonly account: string;
  readonly plan: string;
}

/** Adds `keys create`. */
export function addCreateKey(keys: Command, run: Run): void {
  const create = keys
    .command("create")
    .description("Create a key and show it once.")
    .requiredOption("--account <account>", "the account that pays", readText("--account"))
    .requiredOption("--plan <plan>", "the id of a plan of the gateway", readText("--plan"));
  addActorOption(addMemberOptions(create, (reader) => reader))
    .addHelpText(
      "after",
      example(
        "keys create --account acme --plan prepaid",
        "keys create --account acme --plan prepaid --models a,b --requests 100/60 --expires 30d",
        "keys create --account acme --plan prepaid --spend 50 --spend-window month --tag team-a",
      ),
    )
    .action(({ account, plan, actor, ...options }: Options) => {
      const members = presentMembers(toChanges(options));
      return run(async (session) => {
        checkPlan(plan, session.plans);
        const issued = await createKey(session.administrator(actor), session.keys, { account, plan, ...members });
        await showNewKey(session, issued);
      });
    });
}

/** Throws for an unknown plan, because the gateway would respond to every request of the key with an error. */
function checkPlan(plan: string, plans: readonly string[] | undefined): void {
  if (plans?.includes(plan) === false) throw misread("--plan", plan, `write one of ${plans.join(", ")}`);
}
