import { writeLosslessJson } from "@tollgate/core/store";
import { exportAccount, forgetAccount } from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { Failure, orFailure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { type Field, renderFields } from "../output/table.ts";
import { readText } from "../readers.ts";
import type { Session } from "../session.ts";

/** The failure for an account that has neither a balance nor a key. */
export const noSuchAccount = (account: string): Failure =>
  new Failure("not_found", `There is no account ${JSON.stringify(account)}. Run \`tollgate accounts list\`.`);

/** Adds `accounts export`. */
export function addExport(accounts: Command, run: Run): void {
  const command = accounts
    .command("export")
    .description("Write all that is kept of an account to the standard output, one JSON object a line.")
    .argument("<account>", "the account", readText("The account"));
  addActorOption(command)
    .addHelpText("after", example("accounts export acme > acme.jsonl"))
    .action((account: string, { actor }: ActorOption) =>
      run((session) =>
        orFailure({ resource_not_found: noSuchAccount(account) }, async () => {
          const { operator } = calledBy(actor);
          for await (const objects of exportAccount.lines(session.context, { operator, id: account }))
            await session.print(objects.map((each) => `${writeLosslessJson(each)}\n`).join(""));
        }),
      ),
    );
}

interface ForgetOptions extends ActorOption {
  readonly reason: string;
  readonly confirm?: string;
}

/** Adds `accounts forget`. */
export function addForget(accounts: Command, run: Run): void {
  const command = accounts
    .command("forget")
    .description(
      "Revoke the keys of an account, and erase its content, sessions, responses, end users, labels and payment methods. The ledger stays. This cannot be undone.",
    )
    .argument("<account>", "the account", readText("The account"))
    .requiredOption("--reason <text>", "the reason, for the audit log", readText("--reason"))
    .option("--confirm <account>", "the account again; on a terminal, the command asks", readText("--confirm"));
  addActorOption(command)
    .addHelpText("after", example('accounts forget acme --reason "request of 27 November" --confirm acme'))
    .action((account: string, options: ForgetOptions) => run((session) => forget(session, account, options)));
}

async function forget(session: Session, account: string, { actor, reason, confirm }: ForgetOptions): Promise<void> {
  await requireConfirmation(session, account, confirm);
  const call = { ...calledBy(actor), id: account, body: { reason } };
  const { erased } = await orFailure({ resource_not_found: noSuchAccount(account) }, () =>
    forgetAccount.run(session.context, call),
  );
  const fields = Object.entries(erased).map(
    ([name, count]): Field => [name, count ?? "no such store in the config file"],
  );
  await session.show({ account, erased }, () => `${printable(account)} is forgotten.\n\n${renderFields(fields)}`);
}

/** Nobody can answer in a script, so the account is written twice there. */
async function requireConfirmation({ confirm }: Session, account: string, again: string | undefined): Promise<void> {
  if (again === account) return;
  const question = `Forget ${printable(account)}? Its keys end, and what its customer wrote is erased for ever.`;
  if (again === undefined && confirm !== undefined && (await confirm(question))) return;
  throw new Failure(
    "usage",
    `Nothing was erased. To forget ${JSON.stringify(account)} for ever, pass --confirm with the same account.`,
  );
}
