import { GatewayError } from "../errors/gateway-error.ts";
import { type Awaitable, comesLater } from "../ports/awaitable.ts";
import type { BalanceStore, EndResult } from "../ports/balance-store.ts";
import type { Observer } from "../ports/observer.ts";

/** The longest that an answer waits for its settlement; after it the answer goes out and the settlement goes on. */
const longestWaitMs = 250;
const firstRetryMs = 50;
const lastRetryMs = 5_000;
const mostWaiting = 1_000;
const oldestWaitingMs = 30_000;

interface Ending {
  readonly holdId: string;
  readonly run: () => Awaitable<EndResult>;
  /** A hold that is not there cannot be charged, but need not be released. */
  readonly charges: boolean;
  readonly since: number;
}

/** Ends holds, and keeps at it while the store is down: a settlement is never dropped while this process lives. */
export class Settlements {
  readonly #store: BalanceStore;
  readonly #observe: Observer;
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Ending>();
  /** Those whose answer went out before them, oldest first. */
  readonly #behind = new Set<Ending>();
  readonly #idle: (() => void)[] = [];

  constructor(store: BalanceStore, observe: Observer, timeoutMs: number) {
    this.#store = store;
    this.#observe = observe;
    this.#timeoutMs = timeoutMs;
  }

  /** Posts the real cost of a hold. Gives back at once what is done at once, else after at most 250 ms. */
  settle(holdId: string, amount: bigint): Awaitable<void> {
    return this.#end({ holdId, run: () => this.#store.settle(holdId, amount), charges: true, since: Date.now() });
  }

  /** Ends a hold that cost nothing, also one of which it is not known whether it was made. */
  release(holdId: string): Awaitable<void> {
    return this.#end({ holdId, run: () => this.#store.release(holdId), charges: false, since: Date.now() });
  }

  /** Refuses new requests with 503 while so many settlements wait that more would put money at risk. */
  refuseWhenBehind(): void {
    const oldest: Ending | undefined = this.#behind.values().next().value;
    if (oldest === undefined) return;
    if (this.#behind.size <= mostWaiting && Date.now() - oldest.since <= oldestWaitingMs) return;
    throw new GatewayError(
      "store_unavailable",
      "The gateway is behind with its bookkeeping. Try again in a few seconds.",
      {
        retryAfterSeconds: 5,
      },
    );
  }

  /** Resolves when nothing waits to be settled. */
  whenIdle(): Promise<void> {
    return this.#waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  #end(ending: Ending): Awaitable<void> {
    try {
      const result = ending.run();
      if (comesLater(result)) return this.#wait(ending, Promise.resolve(result));
      this.#report(ending, result);
    } catch (cause) {
      return this.#wait(ending, Promise.reject(cause));
    }
  }

  #wait(ending: Ending, answer: Promise<EndResult>): Promise<void> {
    this.#waiting.add(ending);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#behind.add(ending);
        resolve();
      }, longestWaitMs);
      void this.#finish(ending, answer).then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #finish(ending: Ending, firstTry: Promise<EndResult>): Promise<void> {
    let answer = firstTry;
    for (let wait = firstRetryMs; ; wait = Math.min(2 * wait, lastRetryMs)) {
      const result = await inTime(answer, this.#timeoutMs);
      if (result !== undefined) return this.#done(ending, result);
      this.#observe({ type: "settlement.delayed", at: Date.now(), holdId: ending.holdId, waiting: this.#waiting.size });
      await delay(wait * (0.75 + 0.5 * Math.random()));
      answer = retry(ending);
    }
  }

  #done(ending: Ending, result: EndResult): void {
    this.#waiting.delete(ending);
    this.#behind.delete(ending);
    this.#report(ending, result);
    if (this.#waiting.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #report({ holdId, charges }: Ending, { outcome }: EndResult): void {
    if (outcome === "conflict" || (charges && outcome === "unknown"))
      this.#observe({ type: "ledger.conflict", at: Date.now(), holdId });
  }
}

const retry = async (ending: Ending): Promise<EndResult> => ending.run();

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The answer, or undefined when the store failed or did not answer in time: the next try is safe, since every end is idempotent. */
function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    answer.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}
