import type { LedgerParts } from "./explored-ledger.ts";
import { type Counterexample, InvariantViolation, LedgerStates } from "./ledger-states.ts";
import { combinationsOf, scripts } from "./scripts.ts";

/** What an exploration has seen. */
export interface Exploration {
  /** The first violation. Undefined: every state is as it should be. */
  readonly violation: Counterexample | undefined;
  /** The verbs of the ledger with their outcomes, sorted. */
  readonly outcomes: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Takes the scripts of each choice of `processes` scripts in every order, with steps of time in between, until a violation. */
export function explore(newParts: () => LedgerParts, processes: number): Exploration {
  const begun = performance.now();
  const states = new LedgerStates(newParts);
  const combinations = combinationsOf(
    scripts.map((script) => stepsOf(script, states)),
    processes,
  );
  const figures = { combinations: combinations.length, states: 0, transitions: 0 };
  const violation = violationIn(() => {
    for (const combination of combinations) {
      const found = interleave(states, combination);
      figures.states += found.states;
      figures.transitions += found.transitions;
    }
  });
  const ledger = { "states of the ledger": states.count, "operations checked": states.taken };
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  return { violation, outcomes: [...states.outcomes].sort(), figures: { ...figures, ...ledger, seconds } };
}

const stepsOf = (script: string, states: LedgerStates): readonly number[] =>
  script.split(", ").map((text) => states.numberOf(text));

function violationIn(run: () => void): Counterexample | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof InvariantViolation) return error.counterexample;
    throw error;
  }
}

/** One process: its operations, and what one of its steps adds to the number of a position. */
interface Process {
  readonly steps: readonly number[];
  readonly stride: number;
}

/**
 * Visits every state of some processes, breadth first. A state is that of the ledger and the position of each process, both in
 * one number, so that each is visited once.
 */
function interleave(states: LedgerStates, scripts: readonly (readonly number[])[]) {
  const processes = processesOf(scripts);
  const positions = processes.reduce((product, { steps }) => product * (steps.length + 1), 1);
  const pass = states.numberOf("pass");
  const seen = new BitSet();
  const queue: number[] = [0];
  seen.add(0);
  let transitions = 0;
  const visit = (ledger: number, position: number): void => {
    transitions += 1;
    const state = ledger * positions + position;
    if (seen.add(state)) queue.push(state);
  };
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] ?? 0;
    const position = state % positions;
    const ledger = (state - position) / positions;
    visit(states.next(ledger, pass), position);
    for (const { steps, stride } of processes) {
      const step = steps[Math.floor(position / stride) % (steps.length + 1)];
      if (step !== undefined) visit(states.next(ledger, step), position + stride);
    }
  }
  return { states: queue.length, transitions };
}

function processesOf(scripts: readonly (readonly number[])[]): readonly Process[] {
  let stride = 1;
  return scripts.map((steps) => {
    const process = { steps, stride };
    stride *= steps.length + 1;
    return process;
  });
}

/** A set of small whole numbers. */
class BitSet {
  #words = new Uint32Array(1_024);

  /** Returns false if the number was in the set before. */
  add(number: number): boolean {
    const at = Math.floor(number / 32);
    if (at >= this.#words.length) this.#grow(at);
    const word = this.#words[at] ?? 0;
    const bit = 1 << (number % 32);
    this.#words[at] = word | bit;
    return (word & bit) === 0;
  }

  #grow(at: number): void {
    const larger = new Uint32Array(2 * (at + 1));
    larger.set(this.#words);
    this.#words = larger;
  }
}
