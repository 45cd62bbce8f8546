import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printFigures } from "../faults/figures.ts";
import { form } from "../faults/form.ts";
import { startClock, stopClock } from "./clock.ts";
import { explore } from "./explore.ts";
import { ExploredLedger, memoryParts } from "./explored-ledger.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { LedgerStates, maxSteps } from "./ledger-states.ts";
import { operationOf } from "./operation.ts";
import { plantedFaults } from "./planted-faults.ts";
import { scripts } from "./scripts.ts";

const processes = form === "long" ? 3 : 2;

describe(`every interleaving of ${processes} processes on a ledger in memory`, () => {
  beforeAll(startClock);
  afterAll(stopClock);

  it("keeps the invariants of balances and lots", () => {
    const { violation, outcomes, figures } = explore(memoryParts, processes);
    printFigures(`Exploration of ${processes} processes`, figures);
    expect(violation).toBeUndefined();
    expect(outcomes).toEqual(everyOutcome);
  }, 240_000);

  it("merges only histories that no later call tells apart", () => {
    const states = new LedgerStates(memoryParts);
    const operations = fc.array(fc.constantFrom("pass", ...scripts.flatMap((script) => script.split(", "))), {
      maxLength: 12,
      size: "max",
    });
    const property = fc.property(operations.map(withFewSteps), operations, (earlier, later) => {
      const merged = earlier.reduce((state, text) => states.next(state, states.numberOf(text)), 0);
      const expected = answersOf(states.restore(merged), later);
      const ledger = new ExploredLedger(memoryParts());
      answersOf(ledger, earlier);
      expect(answersOf(ledger, later)).toEqual(expected);
    });
    fc.assert(property, { numRuns: form === "long" ? 10_000 : 2_000 });
  }, 120_000);

  for (const [fault, newParts] of Object.entries(plantedFaults)) {
    it(`shows a planted fault: ${fault}`, () => {
      const { violation } = explore(newParts, 2);
      expect(violation?.problems.length).toBeGreaterThan(0);
    });
  }
});

/** Takes operations, and returns the outcome of each with what it leaves. */
const answersOf = (ledger: ExploredLedger, operations: readonly string[]): readonly string[] =>
  operations.map((text) => `${text}: ${ledger.take(operationOf(text))}, ${fingerprintOf(ledger)}`);

/** Leaves out the steps of time that an exploration does not take. */
const withFewSteps = (operations: readonly string[]): readonly string[] => {
  const steps = operations.flatMap((text, at) => (text === "pass" ? at : []));
  return operations.filter((text, at) => text !== "pass" || steps.indexOf(at) < maxSteps);
};

/** The scripts must produce all of these, or the exploration would cover less than intended. */
const everyOutcome = [
  ...["credit conflict", "credit posted", "credit repeated"],
  ...["expire nothing to sweep", "expire swept"],
  ...["hold conflict", "hold ended", "hold held", "hold insufficient"],
  "pass passed",
  ...["release conflict", "release ended", "release repeated", "release unknown"],
  ...["renew not renewed", "renew renewed"],
  ...["settle conflict", "settle ended", "settle late", "settle repeated", "settle unknown"],
].sort();
