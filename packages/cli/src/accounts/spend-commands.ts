import { formatAmount } from "@tollgate/core";
import type { SpendLimit, SpendWindow } from "@tollgate/core/store";
import { type Administrator, limitSpend } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readChoice } from "../input/choices.ts";
import { readAmount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { readTimezone } from "../input/timezones.ts";
import { renderFields } from "../output/table.ts";
import type { Session } from "../session.ts";
import { describeSpend, toSpendShape } from "./spend-shape.ts";

interface SetOptions extends ActorOption {
  readonly window: SpendWindow;
  readonly timezone?: string;
}

const windows: readonly SpendWindow[] = ["day", "week", "month", "total"];

/** Adds `spend` and its subcommands. */
export function addSpendCommands(program: Command, run: Run): void {
  const spend = program
    .command("spend")
    .description("Show, set and clear the spend limit of an account.")
    .addHelpText("after", example("spend set acme 100 --window month"));
  addShow(spend, run);
  addSet(spend, run);
  const clear = spend
    .command("clear")
    .description("Remove the limit of an account, so that the default of its plan applies again.")
    .argument("<account>", "the account", readText("The account"));
  addActorOption(clear)
    .addHelpText("after", example("spend clear acme"))
    .action((account: string, { actor }: ActorOption) =>
      run((session) => setLimit(session, session.administrator(actor), account, undefined)),
    );
}

function addShow(spend: Command, run: Run): void {
  spend
    .command("show")
    .description("Show the limit of an account, and what was spent of it.")
    .argument("<account>", "the account", readText("The account"))
    .addHelpText("after", example("spend show acme"))
    .action((account: string) => run((session) => showSpend(session, account)));
}

function addSet(spend: Command, run: Run): void {
  const set = spend
    .command("set")
    .description("Limit what an account may spend, including what its running requests hold.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<amount>", "a decimal number greater than zero, such as 100.00", readAmount)
    .option("--window <period>", `the period: ${windows.join(", ")}`, readChoice("--window", windows), "month")
    .option("--timezone <zone>", "the time zone in which periods begin (default: UTC)", readTimezone("--timezone"));
  addActorOption(set)
    .addHelpText("after", example("spend set acme 100 --window day --timezone Europe/Berlin"))
    .action((account: string, limit: bigint, { actor, ...options }: SetOptions) =>
      run((session) => setLimit(session, session.administrator(actor), account, { limit, ...options })),
    );
}

async function setLimit(
  session: Session,
  admin: Administrator,
  account: string,
  limit: SpendLimit | undefined,
): Promise<void> {
  const before = (await session.call(() => session.accounts.findAccount(account))) ?? { id: account };
  await limitSpend(admin, session.accounts, before, limit);
  await session.show({ account, spend: limit && toSpendShape(limit) }, () =>
    limit === undefined ? `${account} has no limit of its own.\n` : `${account} may spend ${describeSpend(limit)}.\n`,
  );
}

async function showSpend(session: Session, account: string): Promise<void> {
  const found = await session.call(() => session.accounts.findAccount(account));
  const limit = found?.spendLimit;
  if (limit === undefined) {
    await session.show({ account }, () => `${account} has no limit of its own.\n`);
    return;
  }
  const [state] = await session.call(() => session.accounts.spendOf([{ scope: "account", id: account, limit }]));
  const spent = formatAmount(state?.spent ?? 0n);
  const resetsAt = state?.resetsAt?.toISOString();
  await session.show({ account, spend: { ...toSpendShape(limit), spent, resetsAt } }, () =>
    renderFields([
      ["account", account],
      ["limit", describeSpend(limit)],
      ["spent", spent],
      ["resets", resetsAt],
    ]),
  );
}
