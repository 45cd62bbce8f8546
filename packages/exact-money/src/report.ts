import type { Case } from "./case.ts";
import { features } from "./driver.ts";
import type { CaseResult, Outcome, SuiteResult } from "./run-suite.ts";

/** How many cases passed, failed and were not applicable. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

/** Counts the outcomes of a driver. */
export function countOutcomes({ results }: Pick<SuiteResult, "results">): Counts {
  const count = (kind: Outcome["kind"]) => results.filter(({ outcome }) => outcome.kind === kind).length;
  return { passed: count("passed"), failed: count("failed"), notApplicable: count("not applicable") };
}

/** Returns the line of a failed case; undefined for another one. */
export const failureLine = ({ case: { id, says }, outcome }: CaseResult): string | undefined =>
  outcome.kind === "failed" ? `FAILED ${id}: ${says}\n       ${outcome.problem}` : undefined;

/** Returns the last lines of a run: what was not applicable by the first missing feature, and the counts. */
export function summaryLines(result: SuiteResult): readonly string[] {
  const { passed, failed, notApplicable } = countOutcomes(result);
  const missing = new Map<string, number>();
  for (const { outcome } of result.results) {
    if (outcome.kind !== "not applicable") continue;
    const lacking = featuresOf(outcome.missing.slice(0, 1));
    missing.set(lacking, (missing.get(lacking) ?? 0) + 1);
  }
  const reasons = [...missing].map(([lacking, count]) => `${lacking} (${count})`).join(", ");
  return [
    ...(notApplicable === 0 ? [] : [`${result.driver}: ${notApplicable} not applicable, for lack of ${reasons}`]),
    `${result.driver}: ${passed} passed, ${failed} failed`,
  ];
}

/** Returns the results of one or several drivers as Markdown: a row for each case, and the counts of each driver before. */
export function markdownOf(suites: readonly SuiteResult[]): string {
  const cases = suites[0]?.results.map((result) => result.case) ?? [];
  const lines = [
    row(["driver", "passed", "failed", "not applicable"]),
    row(["---", "--:", "--:", "--:"]),
    ...suites.map((suite) => row([suite.driver, ...Object.values(countOutcomes(suite)).map(String)])),
  ];
  for (const group of new Set(cases.map((each) => each.group))) {
    lines.push("", `### ${group}`, "", row(["case", "what must hold", ...suites.map(({ driver }) => driver)]));
    lines.push(row(["---", "---", ...suites.map(() => "---")]));
    for (const each of cases.filter((candidate) => candidate.group === group)) lines.push(caseRow(each, suites));
  }
  return `${lines.join("\n")}\n`;
}

function caseRow(each: Case, suites: readonly SuiteResult[]): string {
  const cells = suites.map(({ results }) => results.find((result) => result.case === each)?.outcome);
  return row([`\`${each.id}\``, each.says, ...cells.map(cellOf)]);
}

function cellOf(outcome: Outcome | undefined): string {
  if (outcome?.kind !== "not applicable") return outcome?.kind ?? "";
  return `not applicable: no ${featuresOf(outcome.missing)}`;
}

const featuresOf = (missing: readonly (keyof typeof features)[]): string =>
  missing.map((ability) => features[ability]).join(" and ");

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
