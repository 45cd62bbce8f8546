import type { EndResult, HoldRequest, HoldResult } from "@tollgate/core/store";
import { allowanceText } from "./allowances.ts";
import type { End } from "./holds.ts";

/** A hold in the queue of an account. */
export interface QueuedHold extends Caller<HoldResult> {
  readonly verb: "hold";
  readonly id: string;
  readonly request: HoldRequest;
}

/** A settlement or release in the queue of an account. */
export interface QueuedEnd extends Caller<EndResult> {
  readonly verb: "end";
  readonly id: string;
  readonly end: End;
}

/** A call in the queue of an account. */
export type QueuedCall = QueuedHold | QueuedEnd;

/** The promise of a caller. Only the first call of either function counts. */
interface Caller<Result> {
  resolve(result: Result): void;
  reject(cause: unknown): void;
}

/** Runs a batch and settles the callers' promises. Never rejects; returns the calls that must be retried. */
export type RunBatch = (account: string, batch: readonly QueuedCall[]) => Promise<readonly QueuedCall[]>;

/** The largest number of calls in a batch, so that one statement stays short. */
const maxBatchSize = 250;

/**
 * Batches the calls on one account: those of one turn of the event loop, and those that arrive while a batch of the account runs.
 * No timer is involved, and each process uses at most one connection to wait for the row of an account.
 */
export class AccountQueues {
  readonly #run: RunBatch;
  readonly #waiting = new Map<string, QueuedCall[]>();

  constructor(run: RunBatch) {
    this.#run = run;
  }

  add(account: string, call: QueuedCall): void {
    const waiting = this.#waiting.get(account);
    if (waiting !== undefined) return void waiting.push(call);
    this.#waiting.set(account, [call]);
    void this.#drain(account);
  }

  async #drain(account: string): Promise<void> {
    for (;;) {
      // Other calls of this turn join the batch, such as the next ones of callers that the last batch has answered.
      await new Promise((resolve) => setImmediate(resolve));
      const { batch, rest } = nextBatch(this.#waiting.get(account) ?? []);
      if (batch.length === 0) break;
      this.#waiting.set(account, rest);
      rest.unshift(...(await this.#run(account, batch)));
    }
    this.#waiting.delete(account);
  }
}

/**
 * Takes the next batch, with at most one call per id, since a second call with the same id must see the effect of the first, and
 * with holds of the same allowance.
 */
function nextBatch(waiting: readonly QueuedCall[]): { readonly batch: QueuedCall[]; readonly rest: QueuedCall[] } {
  const ids = new Set<string>();
  const allowances = new Set<string | undefined>();
  const batch: QueuedCall[] = [];
  const rest: QueuedCall[] = [];
  for (const call of waiting) {
    if (call.verb === "hold" && batch.length < maxBatchSize) allowances.add(allowanceText(call.request));
    const fits = batch.length < maxBatchSize && !ids.has(call.id) && allowances.size < 2;
    ids.add(call.id);
    (fits ? batch : rest).push(call);
  }
  return { batch, rest };
}
