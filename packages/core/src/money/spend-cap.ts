import * as v from "valibot";
import { describeError } from "../errors/describe-error.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { parseAmount } from "../options/decimal.ts";
import { decimal, flag, oneOf, timeZone } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { SpendCapState } from "../ports/gateway-state.ts";
import type { GatewayEvent, Observer } from "../ports/observer.ts";
import type { SpendLimit, SpendWindow } from "../ports/spend-limit.ts";
import type { UsageStore } from "../ports/usage-store.ts";
import { aboutMs, type RepeatedWork } from "../runtime/background.ts";
import { withinTime } from "../runtime/timers.ts";
import { spendWindowAt } from "./spend-window.ts";

const readMs = 5_000;
/** Percentages of the cap that are reported. */
const thresholds = [50, 80, 100] as const;

/** What the cap reads of the recorder of usage. */
interface Recorder {
  /** Returns the upstream cost of the rows since a time that are not recorded yet, in nano-units. */
  upstreamCostSince(startsAt: number): bigint;
}

/**
 * Counts what all processes pay their upstreams in the present window: the sums of the usage store, read at the start and every
 * few seconds, and what this process has spent since. Rows that are recorded during a read count twice until the next one.
 */
export class SpendCap implements RepeatedWork {
  readonly firstWithinMs = 0;
  readonly #limit: SpendLimit;
  readonly #stops: boolean;
  readonly #store: UsageStore;
  readonly #recorder: Recorder;
  readonly #observe: Observer;
  readonly #timeoutMs: number;
  /** What this process has spent since it started. */
  #own = 0n;
  /** What is added to `#own` for the sum of the window. */
  #base = 0n;
  #startsAt = 0;
  readonly #reported = new Set<number>();
  #firstRead: Promise<void> | undefined;

  constructor(
    { limit, stop = false, ...window }: SpendCapOptions,
    usage: { readonly store: UsageStore; readonly recorder: Recorder },
    observe: Observer,
    timeoutMs: number,
  ) {
    this.#limit = { ...window, limit: parseAmount(limit) };
    this.#stops = stop;
    this.#store = usage.store;
    this.#recorder = usage.recorder;
    this.#observe = observe;
    this.#timeoutMs = timeoutMs;
  }

  /** Takes an event. The end of each request counts with its upstream cost. */
  readonly take = (event: GatewayEvent): void => {
    if (event.type !== "request.completed" && event.type !== "request.refused") return;
    if (event.upstreamCost === undefined || event.upstreamCost === 0n) return;
    this.#own += event.upstreamCost;
    this.#report();
  };

  /** Throws 503 if the cap is reached and stops. The first call waits for the sum of the usage store. */
  async requireRoom(): Promise<void> {
    if (!this.#stops) return;
    await this.#startReading();
    const { spent, resetsAt } = this.state();
    if (spent < this.#limit.limit) return;
    const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1_000));
    throw new GatewayError(
      "over_capacity",
      `This service has used up what its operator set for the present ${this.#limit.window}. Try again after ${resetsAt.toISOString()}.`,
      { retryAfterSeconds: seconds },
    );
  }

  async run(): Promise<number> {
    if (this.#firstRead === undefined) await this.#startReading();
    else await this.#read();
    return aboutMs(readMs);
  }

  /** Returns what is spent of the cap in the present window. */
  state(): SpendCapState {
    const { startsAt, resetsAt = 0 } = spendWindowAt(this.#limit, Date.now());
    if (startsAt !== this.#startsAt) this.#open(startsAt, -this.#own);
    return { limit: this.#limit, spent: this.#base + this.#own, resetsAt: new Date(resetsAt), stops: this.#stops };
  }

  #startReading(): Promise<void> {
    this.#firstRead ??= this.#read();
    return this.#firstRead;
  }

  /** Never rejects. While the store is down, what this process knows counts. */
  async #read(): Promise<void> {
    const { startsAt, resetsAt = 0 } = spendWindowAt(this.#limit, Date.now());
    const before = this.#own;
    const unrecorded = this.#recorder.upstreamCostSince(startsAt);
    try {
      const query = { from: new Date(startsAt), to: new Date(resetsAt), bucket: "all" } as const;
      const rows = await withinTime(Promise.resolve(this.#store.summary(query)), this.#timeoutMs);
      const recorded = rows.reduce((sum, row) => sum + row.upstreamCost, 0n);
      // The window may have ended meanwhile.
      if (startsAt === spendWindowAt(this.#limit, Date.now()).startsAt)
        this.#open(startsAt, recorded + unrecorded - before);
      this.#report();
    } catch (cause) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part: "spend", cause: describeError(cause) });
    }
  }

  #open(startsAt: number, base: bigint): void {
    if (startsAt !== this.#startsAt) this.#reported.clear();
    this.#startsAt = startsAt;
    this.#base = base;
  }

  #report(): void {
    const { limit, spent, resetsAt } = this.state();
    for (const threshold of thresholds) {
      if (this.#reported.has(threshold) || spent * 100n < BigInt(threshold) * limit.limit) continue;
      this.#reported.add(threshold);
      const stopped = this.#stops && threshold === 100;
      this.#observe({ type: "spend.reached", at: Date.now(), threshold, limit, spent, resetsAt, stopped });
    }
  }
}

/** The most that the host pays its upstreams in a calendar window, for all accounts together. */
export interface SpendCapOptions {
  /** A decimal string in the host's currency, above 0. */
  readonly limit: string;
  readonly window: Exclude<SpendWindow, "total">;
  /** An IANA time zone, such as "Europe/Berlin", in which windows begin; UTC when absent. */
  readonly timezone?: string;
  /** True: when the limit is reached, calls of models get 503 until the window ends; false when absent. */
  readonly stop?: boolean;
}

/** The schema of {@link SpendCapOptions}. */
export const spendCapSchema = optionMembers("the option `spend`", {
  limit: v.pipe(
    decimal,
    v.check((text) => /[1-9]/.test(text), "is 0, so that every call would be stopped. Give more, or leave `spend` out"),
  ),
  window: oneOf("day", "week", "month"),
  timezone: v.exactOptional(timeZone),
  stop: v.exactOptional(flag),
});
