import { GatewayError } from "@tollgate/core";
import type { UsageQuery } from "@tollgate/core/store";

const dayMs = 86_400_000;
const defaultDays = 7;

/** The longest period of each bucket in days: it bounds the number of rows. */
const longest: Readonly<Record<UsageQuery["bucket"], number>> = { hour: 31, day: 1_096, month: 36_525, all: 36_525 };

/** Returns the period of a summary; the last seven days when absent. Throws 400 for an empty one, and for a bucket that is too fine. */
export function readPeriod(given: { readonly from?: Date; readonly to?: Date }, bucket: UsageQuery["bucket"]) {
  const to = given.to ?? new Date();
  const from = given.from ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalid("from", "must be before `to`. Send an earlier time.");
  const days = (to.getTime() - from.getTime()) / dayMs;
  if (days <= longest[bucket]) return { from, to };
  const choices = { hour: "day, month or all", day: "month or all", month: "all", all: "all" };
  throw invalid(
    "bucket",
    `is too fine: ${bucket} allows ${longest[bucket]} days. Use ${choices[bucket]}, or a shorter period.`,
  );
}

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`${param}\` ${problem}`, { param });
