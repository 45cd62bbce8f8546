import type { LedgerMoment } from "./calls.ts";

/** Counts the outcomes of the workers' calls for the report. */
export function countCalls(moments: readonly LedgerMoment[]): Record<string, number> {
  const answers = moments.filter(({ happened }) => happened === "answered").map(({ recorded }) => recorded);
  const count = (verb: string, ...outcomes: readonly string[]) =>
    answers.filter(({ call, answer }) => call.verb === verb && outcomes.includes(answer?.outcome ?? "")).length;
  const sweeps = answers.filter(({ call }) => call.verb === "expire");
  return {
    holds: count("hold", "held"),
    refusals: count("hold", "insufficient"),
    settles: count("settle", "ended", "late"),
    "of these late": count("settle", "late"),
    "settles repeated": count("settle", "repeated"),
    "ends refused": count("settle", "conflict") + count("release", "conflict"),
    releases: count("release", "ended"),
    renewals: answers.reduce((sum, { answer }) => sum + (answer?.renewed?.length ?? 0), 0),
    expiries: sweeps.reduce((sum, { answer }) => sum + Number(answer?.outcome?.replace("ended ", "") ?? 0), 0),
    credits: count("credit", "posted"),
    refunds: count("refund", "posted"),
    "calls cut off": moments.length - 2 * answers.length,
    "calls that threw": answers.filter(({ answer }) => answer?.error !== undefined).length,
  };
}
