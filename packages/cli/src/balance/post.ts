import { formatAmount } from "@tollgate/core";
import type { CheckedPosting, PostingResult } from "@tollgate/core/store";
import { type Administrator, isNewAccount, postAmount } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readAmount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { printable } from "../output/printable.ts";
import { renderFields } from "../output/table.ts";
import type { Session } from "../session.ts";
import { toBalanceShape } from "./balance-shape.ts";

interface Options extends ActorOption {
  readonly reason: string;
  readonly id?: string;
}

type Kind = "credit" | "debit";

const words = {
  credit: { description: "Credit an account.", done: "Credited", example: 'acme 12.50 --reason "invoice 17"' },
  debit: {
    description: "Debit an account, below zero if necessary.",
    done: "Debited",
    example: 'acme 2.50 --reason "refund of invoice 17" --id refund-17',
  },
} as const;

/** Adds `balance credit` or `balance debit`. */
export function addPosting(balance: Command, run: Run, kind: Kind): void {
  const command = balance
    .command(kind)
    .description(`${words[kind].description} It takes effect once for one --id.`)
    .argument("<account>", "the account", readText("The account"))
    .argument("<amount>", "a decimal number greater than zero, such as 12.50", readAmount)
    .option("--reason <text>", "the reason, which is stored in the ledger", readText("--reason"), "by the command line")
    .option("--id <id>", "makes it safe to repeat the command (default: a new UUID)", readText("--id"));
  addActorOption(command)
    .addHelpText("after", example(`balance ${kind} ${words[kind].example}`))
    .action((account: string, amount: bigint, { reason, id = crypto.randomUUID(), actor }: Options) =>
      run((session) => post(session, session.administrator(actor), kind, { id, account, amount, reason })),
    );
}

async function post(session: Session, admin: Administrator, kind: Kind, posting: CheckedPosting): Promise<void> {
  const isNew = await isNewTo(session, admin, posting.account);
  if (
    isNew &&
    !(await session.confirm(`${printable(posting.account)} is a new account. Create it with this ${kind}?`))
  ) {
    throw new Failure("not_found", `There is no account ${JSON.stringify(posting.account)}. Nothing was posted.`);
  }
  const result = await postOnce(session, admin, kind, posting);
  if (result.outcome === "conflict") throw conflict(kind, posting);
  const { id, account, reason } = posting;
  const amount = formatAmount(posting.amount);
  const balance = toBalanceShape(result.balance);
  const repeated =
    result.outcome === "repeated" ? " by an earlier command with the same id; nothing was posted now" : "";
  const newAccount = isNew && result.outcome === "posted" ? true : undefined;
  await session.show({ outcome: result.outcome, kind, id, account, amount, reason, balance, newAccount }, () =>
    [
      `${words[kind].done} ${amount} ${kind === "credit" ? "to" : "from"} ${account}${repeated}.\n\n`,
      renderFields([["id", id], ["reason", reason], ...Object.entries(balance)]),
      newAccount ? `\n${account} is a new account.\n` : "",
    ].join(""),
  );
}

/** Without a store of accounts, nothing is known of them. */
async function isNewTo(session: Session, admin: Administrator, account: string): Promise<boolean> {
  const records = session.accountRecords;
  return records !== undefined && isNewAccount(admin, records, account);
}

async function postOnce(
  session: Session,
  admin: Administrator,
  kind: Kind,
  posting: CheckedPosting,
): Promise<PostingResult> {
  try {
    return await postAmount(admin, session.balances, kind, posting);
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode === 2) throw error;
    throw new Failure(
      error.code,
      `${error.message} The ${kind} may have been posted. Repeat the command with --id ${posting.id}: ` +
        "it takes effect only once.",
      { id: posting.id },
    );
  }
}

const conflict = (kind: Kind, { id }: CheckedPosting): Failure =>
  new Failure(
    "conflict",
    `The id ${JSON.stringify(id)} is already in the ledger with another account, amount, reason or direction. ` +
      `This ${kind} was not posted. Use another --id, or omit it.`,
    { id },
  );
