import type { SpendLimit, SpendWindow } from "@tollgate/core/store";
import {
  camelCase,
  changeLimit,
  requireStore,
  spendAnswer,
  spendingAnswer,
  spendingOf,
  spendWindows,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { renderFields } from "../output/table.ts";
import {
  readAmount,
  readChoice,
  readLimitAmount,
  readList,
  readText,
  readTimezone,
  type WrapReader,
} from "../readers.ts";
import type { Session } from "../session.ts";

/** Adds `spend` and its subcommands. */
export function addSpendCommands(program: Command, run: Run): void {
  const spend = program
    .command("spend")
    .description("Show, set and clear the spend limit of an account.")
    .addHelpText("after", example("spend set acme 100 --window month"));
  addShow(spend, run);
  addSet(spend, run);
  addClear(spend, run);
}

function addShow(spend: Command, run: Run): void {
  spend
    .command("show")
    .description("Show the limit of an account, and what was spent of it.")
    .argument("<account>", "the account", readText("The account"))
    .addHelpText("after", example("spend show acme"))
    .action((account: string) => run((session) => showSpend(session, account)));
}

async function showSpend(session: Session, account: string): Promise<void> {
  const { context } = session;
  const accounts = requireStore(context, "accounts");
  const limit = (await context.ask(() => accounts.findAccount(account)))?.spendLimit;
  const queries = limit === undefined ? [] : [{ scope: "account" as const, id: account, limit }];
  const [state] = limit === undefined ? [] : await context.ask(() => accounts.spendOf(queries));
  if (state === undefined) return showNoLimit(session, account);
  const spend = spendingAnswer.show(spendingOf(state));
  await session.show({ account, spend: camelCase(spendingAnswer.schema)(spend) }, () =>
    renderFields([
      ["account", account],
      ["limit", describeSpend(spend)],
      ["spent", spend.spent],
      ["resets", spend.resets_at],
    ]),
  );
}

const showNoLimit = (session: Session, account: string): Promise<void> =>
  session.show({ account }, () => `${account} has no limit of its own.\n`);

function addSet(spend: Command, run: Run): void {
  const set = spend
    .command("set")
    .description("Limit what an account may spend, including what its running requests hold.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<amount>", "a decimal number greater than zero, such as 100.00", readAmount)
    .option(
      "--window <period>",
      `the period: ${spendWindows.join(", ")}`,
      readChoice("--window", spendWindows),
      "month",
    )
    .option("--timezone <zone>", "the time zone in which periods begin (default: UTC)", readTimezone("--timezone"))
    .option("--models <ids>", "only requests of these models, in which * matches any text", readList("--models"));
  addActorOption(set)
    .addHelpText("after", example("spend set acme 100 --window day --timezone Europe/Berlin"))
    .action((account: string, amount: bigint, { actor, ...options }: ActorOption & Omit<SpendLimit, "limit">) =>
      run(async (session) => {
        const limit = { limit: amount, ...options };
        await setLimit(session, actor, account, limit);
        const spend = spendAnswer.show(limit);
        const shape = { account, spend: camelCase(spendAnswer.schema)(spend) };
        await session.show(shape, () => `${account} may spend ${describeSpend(spend)}.\n`);
      }),
    );
}

function addClear(spend: Command, run: Run): void {
  const clear = spend
    .command("clear")
    .description("Remove the limit of an account, so that the default of its plan applies again.")
    .argument("<account>", "the account", readText("The account"));
  addActorOption(clear)
    .addHelpText("after", example("spend clear acme"))
    .action((account: string, { actor }: ActorOption) =>
      run(async (session) => {
        await setLimit(session, actor, account);
        await showNoLimit(session, account);
      }),
    );
}

/** An account may be limited before its first credit. */
async function setLimit({ context }: Session, actor: string | undefined, account: string, limit?: SpendLimit) {
  const accounts = requireStore(context, "accounts");
  const known = await context.ask(() => accounts.findAccount(account));
  await changeLimit(context, calledBy(actor).operator, known ?? { id: account }, limit);
}

/** The options for the spend limit of a key. */
export interface SpendOptions {
  /** Nano-units. */
  readonly spend?: bigint | false;
  readonly spendWindow?: SpendWindow;
  readonly spendTimezone?: string | false;
  readonly spendModels?: readonly string[] | false;
}

/** Describes a spend limit in words: "100 per month (UTC) for gpt-5*". */
export function describeSpend({ limit, window, timezone, models }: ReturnType<typeof spendAnswer.show>): string {
  const ofModels = models === null ? "" : ` for ${models.join(", ")}`;
  return window === "total" ? `${limit} in total${ofModels}` : `${limit} per ${window} (${timezone})${ofModels}`;
}

/** Adds the options for the spend limit of a key. */
export const addSpendOptions = (command: Command, wrap: WrapReader): Command =>
  command
    .option("--spend <amount>", "the most that the key may spend in a window: 50", wrap(readLimitAmount("--spend")))
    .option(
      "--spend-window <window>",
      "day, week, month or total (default: month)",
      readChoice("--spend-window", spendWindows),
    )
    .option(
      "--spend-timezone <zone>",
      "the zone in which windows begin (default: UTC)",
      wrap(readTimezone("--spend-timezone")),
    )
    .option(
      "--spend-models <ids>",
      "only requests of these models count in the limit; * matches any text",
      wrap(readList("--spend-models")),
    );

/** Returns the spend limit that the options request. What they do not name is as it was, or the default. */
export function spendOf(
  { spend, spendWindow, spendTimezone, spendModels }: SpendOptions,
  before: SpendLimit | undefined,
): SpendLimit | null | undefined {
  if ([spend, spendWindow, spendTimezone, spendModels].every((option) => option === undefined)) return undefined;
  if (spend === false) return null;
  const limit = spend ?? before?.limit;
  if (limit === undefined)
    throw new Failure(
      "usage",
      `${spendModels === undefined ? "--spend-window and --spend-timezone need" : "--spend-models needs"} a limit. Pass --spend <amount> as well.`,
    );
  const timezone = spendTimezone === undefined ? before?.timezone : spendTimezone;
  const models = spendModels === undefined ? before?.models : spendModels;
  return {
    limit,
    window: spendWindow ?? before?.window ?? "month",
    ...(timezone ? { timezone } : {}),
    ...(models ? { models } : {}),
  };
}
