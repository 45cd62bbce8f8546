import { describeError } from "../errors/describe-error.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BalanceStore, EndResult } from "../ports/balance-store.ts";
import type { Observer } from "../ports/observer.ts";
import { type Awaitable, comesLater } from "../runtime/awaitable.ts";
import { withinTime } from "../runtime/timers.ts";
import { HoldEnd, isEndResult } from "./hold-end.ts";
import { Retries } from "./retries.ts";
import type { RunningHolds } from "./running-holds.ts";

/** The longest that an answer waits for its settlement; after it the answer goes out and the settlement goes on. */
const longestWaitMs = 250;
const mostWaiting = 1_000;
const oldestWaitingMs = 30_000;

/**
 * Ends holds, and keeps at it while the store is down: a settlement is never dropped while this process lives. One
 * that waits is renewed like a running request, with its whole cost, so that its lease can charge it if we die; a release
 * that waits is left to its lease.
 */
export class Settlements {
  readonly #store: BalanceStore;
  readonly #running: RunningHolds;
  readonly #observe: Observer;
  readonly #timeoutMs: number;
  /** With what is to be called when it is done. */
  readonly #waiting = new Map<HoldEnd, () => void>();
  /** Those whose answer went out before them, oldest first. */
  readonly #behind = new Set<HoldEnd>();
  readonly #retries = new Retries<HoldEnd>((end) => this.#arrives(end, this.#askLater(end)));
  readonly #idle: (() => void)[] = [];

  constructor(store: BalanceStore, running: RunningHolds, observe: Observer, timeoutMs: number) {
    this.#store = store;
    this.#running = running;
    this.#observe = observe;
    this.#timeoutMs = timeoutMs;
  }

  /** How many the store has not taken yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Posts the real cost of a hold. Gives back at once what is done at once, else after at most 250 ms. */
  settle(holdId: string, amount: bigint): Awaitable<void> {
    return this.#end(holdId, amount);
  }

  /** Ends a hold that cost nothing, also one of which it is not known whether it was made. */
  release(holdId: string): Awaitable<void> {
    return this.#end(holdId, undefined);
  }

  /** Refuses new requests with 503 while so many settlements wait that more would put money at risk. */
  refuseWhenBehind(): void {
    const oldest: HoldEnd | undefined = this.#behind.values().next().value;
    if (oldest === undefined) return;
    if (this.#behind.size <= mostWaiting && Date.now() - oldest.since <= oldestWaitingMs) return;
    throw new GatewayError(
      "store_unavailable",
      "The gateway cannot record charges fast enough at the moment. Try again in a few seconds.",
      { retryAfterSeconds: 5 },
    );
  }

  /** Resolves when nothing waits to be settled. */
  whenIdle(): Promise<void> {
    return this.#waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when the store has taken the end of this hold; at once when it waits for none. */
  whenTaken(holdId: string): Promise<void> {
    for (const [end, tell] of this.#waiting) {
      if (end.holdId === holdId) return new Promise((resolve) => this.#waiting.set(end, () => resolve(tell())));
    }
    return Promise.resolve();
  }

  #end(holdId: string, amount: bigint | undefined): Awaitable<void> {
    try {
      const result = this.#ask(holdId, amount);
      if (comesLater(result)) return this.#wait(new HoldEnd(holdId, amount), result);
      if (isEndResult(result)) return this.#report(holdId, amount, result);
      return this.#wait(new HoldEnd(holdId, amount), Promise.resolve(result));
    } catch (cause) {
      return this.#wait(new HoldEnd(holdId, amount), Promise.reject(cause));
    }
  }

  #ask(holdId: string, amount: bigint | undefined): Awaitable<EndResult> {
    return amount === undefined ? this.#store.release(holdId) : this.#store.settle(holdId, amount);
  }

  async #askLater({ holdId, amount }: HoldEnd): Promise<EndResult> {
    return this.#ask(holdId, amount);
  }

  #wait(end: HoldEnd, answer: PromiseLike<EndResult>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#behind.add(end);
        resolve();
      }, longestWaitMs);
      this.#waiting.set(end, () => {
        clearTimeout(timer);
        resolve();
      });
      if (end.amount !== undefined) this.#running.add(end);
      void this.#arrives(end, answer).then((done) => {
        if (!done) this.#retries.add(end);
      });
    });
  }

  /** One try, which is safe to make again, since every end is idempotent. */
  async #arrives(end: HoldEnd, answer: PromiseLike<EndResult>): Promise<boolean> {
    const result: unknown = await withinTime(answer, this.#timeoutMs).catch(describeError);
    if (isEndResult(result)) {
      this.#done(end, result);
      return true;
    }
    const cause =
      result instanceof Error ? result : new Error("The balance store did not say what became of the hold.");
    const { holdId } = end;
    this.#observe({ type: "settlement.delayed", at: Date.now(), holdId, waiting: this.#waiting.size, cause });
    return false;
  }

  #done(end: HoldEnd, result: EndResult): void {
    this.#waiting.get(end)?.();
    this.#waiting.delete(end);
    this.#behind.delete(end);
    this.#running.delete(end);
    this.#report(end.holdId, end.amount, result);
    if (this.#waiting.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #report(holdId: string, amount: bigint | undefined, { outcome }: EndResult): void {
    // A hold that has expired cannot be released; settled late for nothing, it gives back what the expiry charged.
    if (outcome === "conflict" && amount === undefined) void this.settle(holdId, 0n);
    else if (outcome === "conflict" || (outcome === "unknown" && amount !== undefined))
      this.#observe({ type: "ledger.conflict", at: Date.now(), holdId });
  }
}
