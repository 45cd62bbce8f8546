import { GatewayError } from "@tollgate/core";
import { type MoneyKind, moneyKinds } from "@tollgate/core/store";
import {
  accountBalanceAnswer,
  camelCase,
  creditAccount,
  debitAccount,
  isNewAccount,
  requireStore,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { type Field, renderFields, shortTime } from "../output/table.ts";
import { readAmount, readChoice, readFutureTime, readText } from "../readers.ts";
import type { Session } from "../session.ts";

/** Adds `balance` and its subcommands. */
export function addBalanceCommands(program: Command, run: Run): void {
  const balance = program
    .command("balance")
    .description("Show the balance of an account, and credit or debit it.")
    .addHelpText("after", example('balance credit acme 12.50 --reason "invoice 17"'));
  addShow(balance, run);
  addPosting(balance, run, "credit");
  addPosting(balance, run, "debit");
}

function addShow(balance: Command, run: Run): void {
  balance
    .command("show")
    .description("Show the amounts of an account: posted, held by running requests, available, and what expires.")
    .argument("<account>", "the account; an unknown account has a balance of 0", readText("The account"))
    .addHelpText("after", example("balance show acme"))
    .action((account: string) =>
      run(async (session) => {
        const { context } = session;
        const balances = requireStore(context, "balances");
        const balance = accountBalanceAnswer.show(await context.ask(() => balances.balance(account)));
        await session.show({ account, ...shapeOf(balance) }, () =>
          renderFields([["account", account], ...fieldsOf(balance)]),
        );
      }),
    );
}

type ShownBalance = ReturnType<typeof accountBalanceAnswer.show>;

const shapeOf = camelCase(accountBalanceAnswer.schema);

/** What expires has a line each, the next first. */
const fieldsOf = ({ posted, held, available, expiring, totals, frozen }: ShownBalance): readonly Field[] => [
  ...Object.entries({ posted, held, available, ...totals }),
  ...expiring.map(({ amount, expires_at }): Field => ["expires", `${amount} on ${shortTime(expires_at)}`]),
  ["frozen", frozen && `since ${shortTime(frozen.at)}: ${frozen.reason}`],
];

const postings = {
  credit: {
    operation: creditAccount,
    description: "Credit an account.",
    done: (amount: string, account: string) => `Credited ${amount} to ${account}`,
    addOptions: (command: Command) =>
      command
        .option(
          "--kind <kind>",
          "paid, or granted for money that you give (default: paid)",
          readChoice("--kind", moneyKinds),
        )
        .option(
          "--expires-at <time>",
          "when what is left of it expires: a date, a timestamp, or a duration from now such as 30d (default: never)",
          readFutureTime("--expires-at"),
        ),
    example: 'acme 12.50 --reason "invoice 17"',
  },
  debit: {
    operation: debitAccount,
    description: "Debit an account, below zero if necessary.",
    done: (amount: string, account: string) => `Debited ${amount} from ${account}`,
    addOptions: (command: Command) =>
      command.option(
        "--from <kind>",
        "paid: take from money that was paid alone, and at most what is left of it",
        readChoice("--from", ["paid"]),
      ),
    example: 'acme 2.50 --reason "refund of invoice 17" --id refund-17',
  },
} as const;

type Kind = keyof typeof postings;

/** What a posting has besides its amount. */
interface PostingOptions extends ActorOption {
  readonly id?: string;
  readonly reason: string;
  /** Of a credit. */
  readonly kind?: MoneyKind;
  /** Of a credit. */
  readonly expiresAt?: Date;
  /** Of a debit. */
  readonly from?: "paid";
}

interface Posting extends PostingOptions {
  readonly id: string;
  readonly account: string;
  readonly amount: bigint;
}

function addPosting(balance: Command, run: Run, kind: Kind): void {
  const command = balance
    .command(kind)
    .description(`${postings[kind].description} It takes effect once for one --id.`)
    .argument("<account>", "the account", readText("The account"))
    .argument("<amount>", "a decimal number greater than zero, such as 12.50", readAmount)
    .option("--reason <text>", "the reason, which is stored in the ledger", readText("--reason"), "by the command line")
    .option("--id <id>", "makes it safe to repeat the command (default: a new UUID)", readText("--id"));
  postings[kind].addOptions(command);
  addActorOption(command)
    .addHelpText("after", example(`balance ${kind} ${postings[kind].example}`))
    .action((account: string, amount: bigint, options: PostingOptions) =>
      run((session) => post(session, kind, { id: crypto.randomUUID(), account, amount, ...options })),
    );
}

async function post(session: Session, kind: Kind, posting: Posting): Promise<void> {
  const { id, account, reason, kind: money, expiresAt, from } = posting;
  await confirmAccount(session, kind, account);
  const { outcome, amount, balance, new_account } = await postOnce(session, kind, posting);
  const newAccount = new_account || undefined;
  const repeated = outcome === "repeated" ? " by an earlier command with the same id; nothing was posted now" : "";
  const details = { money, expiresAt: expiresAt?.toISOString(), from };
  await session.show({ outcome, kind, id, account, amount, reason, ...details, balance, newAccount }, () =>
    [
      `${postings[kind].done(amount, account)}${repeated}.\n\n`,
      renderFields([
        ["id", id],
        ["reason", reason],
        ["money", money ?? from],
        ["expires", details.expiresAt],
        ...Object.entries(balance),
      ]),
      newAccount ? `\n${account} is a new account.\n` : "",
    ].join(""),
  );
}

/** Asks before a new account is created. Without a terminal, nobody can answer. */
async function confirmAccount({ context, confirm }: Session, kind: Kind, account: string): Promise<void> {
  if (confirm === undefined || !(await isNewAccount(context, account))) return;
  if (await confirm(`${printable(account)} is a new account. Create it with this ${kind}?`)) return;
  throw new Failure("not_found", `There is no account ${JSON.stringify(account)}. Nothing was posted.`);
}

async function postOnce({ context }: Session, kind: Kind, posting: Posting) {
  const { id, account, actor, expiresAt, ...content } = posting;
  const body = { ...content, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) };
  const call = { ...calledBy(actor), id: account, body, idempotencyKey: id };
  try {
    return await postings[kind].operation.run(context, call);
  } catch (error) {
    if (GatewayError.is(error) && error.code === "conflict") throw conflict(kind, id);
    if (!(error instanceof Failure) || error.exitCode === 2) throw error;
    throw new Failure(
      error.code,
      `${error.message} The ${kind} may have been posted. Repeat the command with --id ${id}${sameTime(expiresAt)}: ` +
        "it takes effect only once.",
      { id },
    );
  }
}

/** A duration from now is another time when the command is repeated. */
const sameTime = (expiresAt: Date | undefined): string =>
  expiresAt === undefined ? "" : ` and --expires-at ${expiresAt.toISOString()}`;

const conflict = (kind: Kind, id: string): Failure =>
  new Failure(
    "conflict",
    `The id ${JSON.stringify(id)} is already in the ledger with another account, amount, reason, kind, expiry or direction. ` +
      `This ${kind} was not posted. Use another --id, or omit it.`,
    { id },
  );
