import { auditedAs } from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { renderItems } from "../output/table.ts";
import { readText } from "../readers.ts";
import type { Session } from "../session.ts";

/** Adds `shards` and its subcommands. */
export function addShardsCommands(program: Command, run: Run): void {
  const shards = program
    .command("shards")
    .description(
      "List the databases that accounts are spread over, open and close them, and move accounts between them.",
    )
    .addHelpText("after", example("shards move acme --to b"));
  addList(shards, run);
  addOpening(shards, run, "open", "Open a shard for new accounts, once every process has it.");
  addOpening(shards, run, "close", "Close a shard for new accounts. Those that it has stay.");
  addMove(shards, run);
}

function addList(shards: Command, run: Run): void {
  shards
    .command("list")
    .description("List the shards in the order in which they were added.")
    .addHelpText("after", example("shards list", "shards list --json"))
    .action(() =>
      run(async (session) => {
        const found = await session.context.ask(() => session.shards.list());
        await session.show({ shards: found }, (width) =>
          renderItems(
            found,
            {
              empty: "There are no shards.",
              columns: [
                { title: "SHARD", truncates: true, text: ({ name }) => name },
                { title: "NEW ACCOUNTS", text: ({ isOpen }) => (isOpen ? "yes" : "no") },
                { title: "ACCOUNTS", right: true, text: ({ accounts }) => accounts },
              ],
            },
            width,
          ),
        );
      }),
    );
}

function addOpening(shards: Command, run: Run, verb: "open" | "close", description: string): void {
  const command = shards.command(verb).description(description).argument("<shard>", "the shard", readText("The shard"));
  addActorOption(command)
    .addHelpText("after", example(`shards ${verb} b`))
    .action((name: string, { actor }: ActorOption) =>
      run(async (session) => {
        const isOpen = verb === "open";
        const opening = { action: `shard.${verb}`, subject: `shard:${name}`, after: { open: isOpen } };
        await change(session, actor, opening, () => session.shards[verb](name));
        await session.show({ shard: name, isOpen }, () =>
          isOpen ? `New accounts can be assigned to ${name}.\n` : `No new accounts are assigned to ${name}.\n`,
        );
      }),
    );
}

function addMove(shards: Command, run: Run): void {
  const command = shards
    .command("move")
    .description("Move an account to another shard while it is used. It cannot be changed for less than 2 seconds.")
    .argument("<account>", "the account", readText("The account"))
    .requiredOption("--to <shard>", "the shard", readText("--to"));
  addActorOption(command)
    .addHelpText("after", example("shards move acme --to b"))
    .action((account: string, { to, actor }: ActorOption & { readonly to: string }) =>
      run(async (session) => {
        const moving = { action: "account.move", subject: `account:${account}`, after: { shard: to } };
        const { from, frozenMs } = await change(session, actor, moving, () => session.shards.move(account, to));
        await session.show({ account, from, to, frozenMs: Math.round(frozenMs) }, () =>
          from === to
            ? `${account} is in ${to} already.\n`
            : `${account} was moved from ${from} to ${to}. It could not be changed for ${Math.round(frozenMs)} ms.\n`,
        );
      }),
    );
}

/** Makes a change that is recorded in the audit log. */
function change<Result>(
  { context }: Session,
  actor: string | undefined,
  {
    action,
    ...of
  }: {
    readonly action: string;
    readonly subject: string;
    readonly after: { readonly [name: string]: string | boolean };
  },
  make: () => Promise<Result>,
): Promise<Result> {
  return auditedAs(context, calledBy(actor).operator, action)(of, () => context.ask(make));
}
