import { afterAll, beforeAll, describe, it } from "vitest";
import { printFigures } from "../figures.ts";

/** One test of a matrix. */
export interface Case {
  readonly name: string;
  /** Resolves with numeric figures. */
  run(): Promise<object>;
}

/** Registers each case as a test. The cases mostly wait, so `lanes` of them run concurrently, in order. */
export function inLanes(title: string, cases: readonly Case[], lanes: number): void {
  describe(title, () => {
    const unhandled: unknown[] = [];
    const note = (cause: unknown) => void unhandled.push(cause);
    const startedAt = Date.now();
    let outcomes: readonly Promise<PromiseSettledResult<object>>[] = [];
    beforeAll(() => {
      process.on("unhandledRejection", note);
      outcomes = startAll(cases, lanes);
    });
    for (const [at, { name }] of cases.entries()) {
      it(name, { timeout: 60_000 }, async () => {
        const outcome = await outcomes[at];
        if (outcome?.status === "rejected") throw outcome.reason;
      });
    }
    it("leaves no rejected promise unhandled", () => {
      process.off("unhandledRejection", note);
      if (unhandled.length > 0) throw new AggregateError(unhandled, "A rejected promise was not handled.");
    });
    afterAll(async () => {
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      printFigures(title, { seconds, cells: cases.length, ...sumOf(await Promise.all(outcomes)) });
    });
  });
}

function startAll(cases: readonly Case[], lanes: number): readonly Promise<PromiseSettledResult<object>>[] {
  const ends: Promise<unknown>[] = Array.from({ length: lanes }, () => Promise.resolve());
  return cases.map(async ({ run }, at) => {
    const turn = (ends[at % lanes] ?? Promise.resolve()).then(run);
    const outcome = Promise.allSettled([turn]).then(([first]) => first);
    ends[at % lanes] = outcome;
    return outcome;
  });
}

/** Sums up the figures of all cells that passed. */
function sumOf(outcomes: readonly PromiseSettledResult<object>[]): Record<string, number | bigint> {
  const sums: Record<string, number | bigint> = {};
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") continue;
    for (const [name, value] of Object.entries(outcome.value)) sums[name] = Number(sums[name] ?? 0) + Number(value);
  }
  return sums;
}
