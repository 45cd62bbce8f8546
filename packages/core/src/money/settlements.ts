import { describeError } from "../errors/describe-error.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BalanceStore, EndResult, HoldReference } from "../ports/balance-store.ts";
import type { Observer } from "../ports/observer.ts";
import type { ChargeReceipt } from "../ports/receipt.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { steadyNow, withinTime } from "../runtime/timers.ts";
import type { RunningHold, RunningHolds } from "./heartbeat.ts";
import { Retries } from "./retries.ts";

/** How long an answer waits for its settlement. Afterwards the answer is sent and the settlement continues. */
const longestWaitMs = 250;
const maxBehind = 1_000;
const maxDelayMs = 30_000;

/**
 * Settles and releases holds, and retries while the store is unavailable, until this process ends. The hold of a delayed
 * settlement is renewed with its whole cost, so that its expiry charges it if this process crashes. The hold of a
 * delayed release is not renewed and expires.
 */
export class Settlements {
  readonly #store: BalanceStore;
  readonly #running: RunningHolds;
  readonly #observe: Observer;
  readonly #timeoutMs: number;
  /** Each with the function to call when it is done. */
  readonly #waiting = new Map<HoldEnd, (result: EndResult) => void>();
  /** Those whose answer was sent before they were done, oldest first. */
  readonly #behind = new Set<HoldEnd>();
  readonly #retries = new Retries<HoldEnd>((end) => this.#handleAnswer(end, this.#askLater(end)));
  readonly #idle: (() => void)[] = [];

  constructor(store: BalanceStore, running: RunningHolds, observe: Observer, timeoutMs: number) {
    this.#store = store;
    this.#running = running;
    this.#observe = observe;
    this.#timeoutMs = timeoutMs;
  }

  /** The number of settlements and releases that the store has not taken yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** True while too many settlements are delayed, or one for too long. */
  get isBehind(): boolean {
    if (this.#behind.size === 0) return false;
    const oldest: HoldEnd | undefined = this.#behind.values().next().value;
    return oldest !== undefined && (this.#behind.size > maxBehind || steadyNow() - oldest.since > maxDelayMs);
  }

  /**
   * Settles a hold with its cost. Synchronous if the store is; otherwise it resolves after at most 250 ms, with undefined if
   * the store has not answered yet. A charge of the host has no receipt.
   */
  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Awaitable<EndResult | undefined> {
    return this.#end({ hold, amount, receipt });
  }

  /**
   * Releases a hold, also one that may not exist because its creation failed. The receipt is that of the refund, if the hold
   * has expired.
   */
  release(hold: HoldReference, receipt: ChargeReceipt | undefined): Awaitable<EndResult | undefined> {
    return this.#end({ hold, amount: undefined, receipt });
  }

  /** Throws a 503 for new requests while it is behind. */
  refuseWhenBehind(): void {
    if (!this.isBehind) return;
    throw new GatewayError(
      "store_unavailable",
      "The gateway cannot record charges fast enough at the moment. Try again in a few seconds.",
      { retryAfterSeconds: 5 },
    );
  }

  /** Resolves when no settlement waits. */
  whenIdle(): Promise<void> {
    return this.#waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when the store has taken the end of this hold, or at once if none waits. */
  whenTaken({ id }: HoldReference): Promise<void> {
    for (const [end, onDone] of this.#waiting) {
      if (end.hold.id === id)
        return new Promise((resolve) => this.#waiting.set(end, (result) => resolve(onDone(result))));
    }
    return Promise.resolve();
  }

  #end(end: End): Awaitable<EndResult | undefined> {
    try {
      const result = this.#ask(end);
      if (!isEndResult(result)) return this.#wait(end, Promise.resolve(result));
      this.#report(end, result);
      return result;
    } catch (cause) {
      return this.#wait(end, Promise.reject(cause));
    }
  }

  #ask({ hold, amount, receipt }: End): Awaitable<EndResult> {
    return amount === undefined ? this.#store.release(hold) : this.#store.settle(hold, amount, receipt);
  }

  async #askLater(end: HoldEnd): Promise<EndResult> {
    return this.#ask(end);
  }

  #wait({ hold, amount, receipt }: End, answer: PromiseLike<EndResult>): Promise<EndResult | undefined> {
    const end = new HoldEnd(hold, amount, receipt);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#behind.add(end);
        resolve(undefined);
      }, longestWaitMs);
      this.#waiting.set(end, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      if (end.amount !== undefined) this.#running.add(end);
      void this.#handleAnswer(end, answer).then((done) => {
        if (!done) this.#retries.add(end);
      });
    });
  }

  /** Resolves to true once the store has taken the end. It can be repeated, since every end is idempotent. */
  async #handleAnswer(end: HoldEnd, answer: PromiseLike<EndResult>): Promise<boolean> {
    const result: unknown = await withinTime(answer, this.#timeoutMs).catch(describeError);
    if (isEndResult(result)) {
      this.#done(end, result);
      return true;
    }
    const cause =
      result instanceof Error ? result : new Error("The balance store returned an invalid outcome for a hold.");
    const holdId = end.hold.id;
    this.#observe({ type: "settlement.delayed", at: Date.now(), holdId, waiting: this.#waiting.size, cause });
    return false;
  }

  #done(end: HoldEnd, result: EndResult): void {
    this.#waiting.get(end)?.(result);
    this.#waiting.delete(end);
    this.#behind.delete(end);
    this.#running.delete(end);
    this.#report(end, result);
    if (this.#waiting.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #report({ hold, amount, receipt }: End, { outcome }: EndResult): void {
    // An expired hold cannot be released. A late settlement of 0 refunds what its expiry charged.
    if (outcome === "conflict" && amount === undefined) void this.settle(hold, 0n, receipt);
    else if (outcome === "conflict" || (outcome === "unknown" && amount !== undefined))
      this.#observe({ type: "ledger.conflict", at: Date.now(), holdId: hold.id });
  }
}

/** The settlement or release of a hold. */
type End = Pick<HoldEnd, "hold" | "amount" | "receipt">;

/** The settlement or release of a hold that the store has not answered yet. */
export class HoldEnd implements RunningHold {
  position = -1;
  leasedAt = Number.POSITIVE_INFINITY;
  readonly ending = true;
  readonly reservation = undefined;
  readonly hold: HoldReference;
  /** Nano-units to settle; undefined for a release. */
  readonly amount: bigint | undefined;
  readonly receipt: ChargeReceipt | undefined;
  /** A time of `steadyNow`. */
  readonly since = steadyNow();

  constructor(hold: HoldReference, amount: bigint | undefined, receipt: ChargeReceipt | undefined) {
    this.hold = hold;
    this.amount = amount;
    this.receipt = receipt;
  }

  used(): bigint {
    return this.amount ?? 0n;
  }
}

const outcomes: readonly unknown[] = [
  "ended",
  "repeated",
  "late",
  "conflict",
  "unknown",
] satisfies EndResult["outcome"][];

/** Returns false for an invalid answer of a balance store. */
export const isEndResult = (answer: unknown): answer is EndResult =>
  typeof answer === "object" && answer !== null && "outcome" in answer && outcomes.includes(answer.outcome);
