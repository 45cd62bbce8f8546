import fc from "fast-check";
import { printFigures } from "../figures.ts";
import type { Tally } from "./tally.ts";

/** Takes the steps of one script, and throws at the first after which something is not as it must be. */
export interface Checker<Step> {
  take(step: Step): Promise<void>;
}

/** That a checker finds nothing in scripts of up to 60 steps; it is made anew for each by `begin`, which is told the number of the run. */
export function scriptProperty<Step>(
  steps: fc.Arbitrary<Step>,
  tell: (step: Step) => string,
  begin: (run: number) => Promise<Checker<Step>>,
): fc.IAsyncProperty<unknown> {
  let run = 0;
  const script = fc.commands([steps.map((step) => new Take(step, tell))], { maxCommands: 60, size: "max" });
  return fc.asyncProperty(script, async (commands) => {
    run += 1;
    const model = await begin(run);
    await fc.asyncModelRun(() => ({ model, real: undefined }), commands);
  });
}

/** Fails unless the property holds in so many runs, and prints what they came to. */
export async function holdTo(
  title: string,
  property: fc.IAsyncProperty<unknown>,
  runs: number,
  tally: Tally,
): Promise<void> {
  const began = performance.now();
  await fc.assert(property, { numRuns: runs });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  printFigures(title, { runs, seconds, ...tally.figures() });
}

class Take<Step> implements fc.AsyncCommand<Checker<Step>, undefined> {
  readonly #step: Step;
  readonly #tell: (step: Step) => string;

  constructor(step: Step, tell: (step: Step) => string) {
    this.#step = step;
    this.#tell = tell;
  }

  check(): boolean {
    return true;
  }

  run(checker: Checker<Step>): Promise<void> {
    return checker.take(this.#step);
  }

  toString(): string {
    return this.#tell(this.#step);
  }
}
