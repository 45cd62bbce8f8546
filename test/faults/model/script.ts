import fc from "fast-check";
import { printFigures } from "../figures.ts";
import type { Tally } from "./tally.ts";

/** Runs the steps of one script, and throws at the first step with a wrong result. */
export interface Checker<Step> {
  take(step: Step): Promise<void>;
}

/**
 * The property that a checker accepts scripts of up to 60 steps. `begin` creates a checker for each run, with the
 * number of the run.
 */
export function scriptProperty<Step>(
  steps: fc.Arbitrary<Step>,
  format: (step: Step) => string,
  begin: (run: number) => Promise<Checker<Step>>,
): fc.IAsyncProperty<unknown> {
  let run = 0;
  const script = fc.commands([steps.map((step) => new StepCommand(step, format))], { maxCommands: 60, size: "max" });
  return fc.asyncProperty(script, async (commands) => {
    run += 1;
    const model = await begin(run);
    await fc.asyncModelRun(() => ({ model, real: undefined }), commands);
  });
}

/** Fails unless the property holds in the given number of runs, and prints the figures. */
export async function checkProperty(
  title: string,
  property: fc.IAsyncProperty<unknown>,
  runs: number,
  tally: Tally,
): Promise<void> {
  const start = performance.now();
  await fc.assert(property, { numRuns: runs });
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  printFigures(title, { runs, seconds, ...tally.figures() });
}

class StepCommand<Step> implements fc.AsyncCommand<Checker<Step>, undefined> {
  readonly #step: Step;
  readonly #format: (step: Step) => string;

  constructor(step: Step, format: (step: Step) => string) {
    this.#step = step;
    this.#format = format;
  }

  check(): boolean {
    return true;
  }

  run(checker: Checker<Step>): Promise<void> {
    return checker.take(this.#step);
  }

  toString(): string {
    return this.#format(this.#step);
  }
}
