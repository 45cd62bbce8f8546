import type { EndResult, HoldRequest, HoldResult } from "@tollgate/core/store";
import type { End } from "./holds.ts";

/** A hold that waits for its turn on an account. */
export interface HoldTurn extends Caller<HoldResult> {
  readonly verb: "hold";
  readonly id: string;
  readonly request: HoldRequest;
}

/** The end of a hold that waits for its turn on an account. */
export interface EndTurn extends Caller<EndResult> {
  readonly verb: "end";
  readonly id: string;
  readonly end: End;
}

/** A call that waits for its turn. */
export type Turn = HoldTurn | EndTurn;

/** Whoever waits for an answer. Only the first thing it is told counts. */
interface Caller<Answer> {
  resolve(answer: Answer): void;
  reject(cause: unknown): void;
}

/** Does what a batch asks for and tells the callers. It never rejects; it gives back the turns that must come again. */
export type RunBatch = (account: string, batch: readonly Turn[]) => Promise<readonly Turn[]>;

/** The most calls that go together, so that one statement stays short. */
const largestBatch = 250;

/**
 * Gives the calls on one account their turns: while a batch of this process is under way for an account, whatever
 * else comes for it waits, and goes together next. Nothing waits for a timer, and of one process at most one
 * connection waits for the row of an account.
 */
export class AccountQueues {
  readonly #run: RunBatch;
  readonly #waiting = new Map<string, Turn[]>();

  constructor(run: RunBatch) {
    this.#run = run;
  }

  add(account: string, turn: Turn): void {
    const waiting = this.#waiting.get(account);
    if (waiting !== undefined) return void waiting.push(turn);
    this.#waiting.set(account, [turn]);
    void this.#work(account);
  }

  async #work(account: string): Promise<void> {
    for (;;) {
      const { batch, rest } = nextBatch(this.#waiting.get(account) ?? []);
      if (batch.length === 0) break;
      this.#waiting.set(account, rest);
      rest.unshift(...(await this.#run(account, batch)));
    }
    this.#waiting.delete(account);
  }
}

/** The first of the queue, but of those with one id only the first: the others are to see what it did. */
function nextBatch(waiting: readonly Turn[]): { readonly batch: Turn[]; readonly rest: Turn[] } {
  const ids = new Set<string>();
  const batch: Turn[] = [];
  const rest: Turn[] = [];
  for (const turn of waiting) {
    const goes = batch.length < largestBatch && !ids.has(turn.id);
    ids.add(turn.id);
    (goes ? batch : rest).push(turn);
  }
  return { batch, rest };
}
