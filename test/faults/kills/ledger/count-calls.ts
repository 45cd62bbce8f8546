import type { LedgerMoment } from "./calls.ts";

/** How often the workers were told what, as figures for the report. */
export function countCalls(moments: readonly LedgerMoment[]): Record<string, number> {
  const answers = moments.filter(({ happened }) => happened === "answered").map(({ recorded }) => recorded);
  const told = (verb: string, ...outcomes: readonly string[]) =>
    answers.filter(({ call, answer }) => call.verb === verb && outcomes.includes(answer?.outcome ?? "")).length;
  const sweeps = answers.filter(({ call }) => call.verb === "expire");
  return {
    holds: told("hold", "held"),
    refusals: told("hold", "insufficient"),
    settles: told("settle", "ended", "late"),
    "of these late": told("settle", "late"),
    "settles repeated": told("settle", "repeated"),
    "ends refused": told("settle", "conflict") + told("release", "conflict"),
    releases: told("release", "ended"),
    renewals: answers.reduce((sum, { answer }) => sum + (answer?.renewed?.length ?? 0), 0),
    expiries: sweeps.reduce((sum, { answer }) => sum + Number(answer?.outcome?.replace("ended ", "") ?? 0), 0),
    credits: told("credit", "posted"),
    "calls cut off": moments.length - 2 * answers.length,
    "calls that threw": answers.filter(({ answer }) => answer?.error !== undefined).length,
  };
}
