import type { SpendLimit, SpendWindow } from "@tollgate/core/store";
import type { shownSpend } from "@tollgate/management/operations";
import type { Command } from "commander";
import { Failure } from "../failure.ts";
import { readChoice } from "../input/choices.ts";
import { readLimitAmount } from "../input/numbers.ts";
import type { WrapReader } from "../input/text.ts";
import { readTimezone } from "../input/timezones.ts";

/** The options for the spend limit of a key. */
export interface SpendOptions {
  /** Nano-units. */
  readonly spend?: bigint | false;
  readonly spendWindow?: SpendWindow;
  readonly spendTimezone?: string | false;
}

/** The windows of spend limits. */
export const spendWindows: readonly SpendWindow[] = ["day", "week", "month", "total"];

/** Describes a spend limit in words: "100 per month (UTC)". */
export const describeSpend = ({ limit, window, timezone }: ReturnType<typeof shownSpend>): string =>
  window === "total" ? `${limit} in total` : `${limit} per ${window} (${timezone})`;

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
    );

/** Returns the spend limit that the options request. What they do not name is as it was, or the default. */
export function spendOf(
  { spend, spendWindow, spendTimezone }: SpendOptions,
  before: SpendLimit | undefined,
): SpendLimit | null | undefined {
  if (spend === undefined && spendWindow === undefined && spendTimezone === undefined) return undefined;
  if (spend === false) return null;
  const limit = spend ?? before?.limit;
  if (limit === undefined)
    throw new Failure("usage", "--spend-window and --spend-timezone need a limit. Pass --spend <amount> as well.");
  const timezone = spendTimezone === undefined ? before?.timezone : spendTimezone;
  return { limit, window: spendWindow ?? before?.window ?? "month", ...(timezone ? { timezone } : {}) };
}
