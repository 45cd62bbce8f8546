import { ExploredLedger, type LedgerParts } from "./explored-ledger.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { brokenInvariants, holdsOf } from "./invariants.ts";
import { type Operation, operationOf } from "./operation.ts";

/** The most steps of time in one history: enough for a hold to expire, and then for what its late settlement returns. */
export const maxSteps = 2;

/** Operations that break an invariant, in their order. */
export interface Counterexample {
  readonly operations: readonly string[];
  readonly problems: readonly string[];
}

/** Stops an exploration that has found a violation. */
export class InvariantViolation extends Error {
  constructor(readonly counterexample: Counterexample) {
    super(`${counterexample.operations.join(", ")}: ${counterexample.problems.join(" ")}`);
  }
}

/** How one state of the ledger was reached first. */
interface Reached {
  /** The state before. Undefined: the beginning. */
  readonly from: number | undefined;
  readonly by: Operation | undefined;
  readonly steps: number;
  /** The state after each operation, by the number of the operation. */
  readonly next: (number | undefined)[];
}

/**
 * The states of a ledger that operations lead to, numbered as they are found; the beginning is 0. A memory store cannot be
 * copied, so the first operations that led to a state are repeated on a new ledger for each operation that is taken from it, unless
 * the one before has changed nothing. All histories with the same fingerprint share what was found.
 */
export class LedgerStates {
  readonly outcomes = new Set<string>();
  /** How many operations were taken from a state, and checked. */
  taken = 0;
  readonly #newParts: () => LedgerParts;
  readonly #operations: Operation[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #states = new Map<string, number>();
  readonly #reached: Reached[] = [];
  /** A ledger that is in a state, since the last operation has changed nothing. */
  #live: { readonly state: number; readonly ledger: ExploredLedger } | undefined;

  constructor(newParts: () => LedgerParts) {
    this.#newParts = newParts;
    const fingerprint = fingerprintOf(new ExploredLedger(newParts()));
    this.#add(fingerprint, { from: undefined, by: undefined, steps: 0, next: [] });
  }

  get count(): number {
    return this.#reached.length;
  }

  /** Returns the number of an operation. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#operations.push(operationOf(text)) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  /** Returns the state after an operation. Throws an InvariantViolation if it breaks an invariant. */
  next(state: number, number: number): number {
    const reached = this.#reached[state];
    const operation = this.#operations[number];
    if (reached === undefined || operation === undefined)
      throw new Error(`Operation ${number} of ${state} is unknown.`);
    const known = reached.next[number];
    if (known !== undefined) return known;
    const isLast = operation.verb === "pass" && reached.steps === maxSteps;
    const after = isLast ? state : this.#take(state, operation);
    reached.next[number] = after;
    return after;
  }

  #take(from: number, operation: Operation): number {
    this.taken += 1;
    const ledger = this.#live?.state === from ? this.#live.ledger : this.restore(from);
    const before = holdsOf(ledger);
    const outcome = ledger.take(operation);
    this.outcomes.add(`${operation.verb} ${outcome}`);
    const fingerprint = fingerprintOf(ledger);
    const { steps } = ledger;
    const { length } = ledger.account.entries;
    this.#require(from, [operation], brokenInvariants(before, operation, outcome, ledger));
    const known = this.#states.get(fingerprint);
    const hasLapsed = ledger.account.entries.length > length;
    this.#live = known === from && !hasLapsed ? { state: from, ledger } : undefined;
    if (known !== undefined) return known;
    this.#require(from, [operation, ...ending], problemsAtEnd(ledger));
    return this.#add(fingerprint, { from, by: operation, steps, next: [] });
  }

  #add(fingerprint: string, reached: Reached): number {
    const state = this.#reached.push(reached) - 1;
    this.#states.set(fingerprint, state);
    return state;
  }

  /** Repeats the operations that led to a state first on a new ledger. */
  restore(state: number): ExploredLedger {
    const ledger = new ExploredLedger(this.#newParts());
    for (const operation of this.#operationsTo(state)) ledger.take(operation);
    return ledger;
  }

  #operationsTo(state: number): readonly Operation[] {
    const operations: Operation[] = [];
    let at = this.#reached[state];
    while (at?.by !== undefined && at.from !== undefined) {
      operations.push(at.by);
      at = this.#reached[at.from];
    }
    return operations.reverse();
  }

  #require(state: number, last: readonly Operation[], problems: readonly string[]): void {
    if (problems.length === 0) return;
    const operations = [...this.#operationsTo(state), ...last].map(({ text }) => text);
    throw new InvariantViolation({ operations, problems });
  }
}

const ending = [operationOf("pass"), operationOf("expire")];

/** A sweep after some time ends every hold. */
function problemsAtEnd(ledger: ExploredLedger): readonly string[] {
  for (const operation of ending) ledger.take(operation);
  const { held } = ledger.account;
  const pending = [...ledger.holds.values()].filter(({ state }) => state === "pending");
  return held === 0n && pending.length === 0 ? [] : [`${held} are still held, by ${pending.length} holds.`];
}
