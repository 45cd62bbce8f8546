import { clientGone, draining, outOfTime } from "../../errors/ended-early.ts";
import { releaseSlot } from "../../limits/limiter-results.ts";
import type { Held } from "../../request/request-stages.ts";
import type { CallServices } from "../../request/services.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import type { UpstreamCall } from "../call/upstream-call.ts";

/** The time limit that all attempts at an answer share, and how many attempts remain. */
interface Attempted {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly othersLeft: number;
}

/**
 * Aborts the calls for a JSON answer when they exceed the limits of a single call or of all calls together. The upstream
 * bills the whole answer even if the client disconnects. The gateway therefore waits for the usage, without counting
 * the request against the key's concurrency.
 */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: CallServices;
  readonly #held: Held;
  readonly #attempts: Attempted;
  #call: UpstreamCall | undefined;
  #headMs = 0;
  #headEndsAt = 0;
  #signs = 0;
  #signsAt = 0;
  #goneAt: number | undefined;
  #readsOn = false;

  constructor(services: CallServices, held: Held, attempts: Attempted) {
    this.#services = services;
    this.#held = held;
    this.#attempts = attempts;
    services.ticker.add(this);
    held.run.onAbort(() => this.#call?.abort(draining()));
  }

  /** True if the last call was aborted before its target had answered. */
  get wasCutOff(): boolean {
    return this.#call?.cancellation.aborted ?? false;
  }

  /** Watches a call that starts at `startsAt`, in milliseconds since the Unix epoch. A call without response headers gets an equal share of the remaining time, so that later attempts have theirs. */
  watch(call: UpstreamCall, startsAt: number): void {
    const { endsAt, othersLeft } = this.#attempts;
    const { headMs } = call.target.limits;
    this.#call = call;
    this.#headMs = othersLeft === 0 ? headMs : Math.min(headMs, Math.ceil((endsAt - startsAt) / (othersLeft + 1)));
    this.#headEndsAt = startsAt + this.#headMs;
    this.#signs = 0;
  }

  tick(now: number): void {
    const call = this.#call;
    if (call === undefined) return;
    if (now >= this.#attempts.endsAt) call.abort(outOfTime("total", call.target.limits.totalMs));
    else this.#checkProgress(call, now);
    if (!this.#held.request.signal.aborted) return;
    this.#goneAt ??= this.#leave(now);
    if (!this.#readsOn || now - this.#goneAt >= this.#services.money.readOnMs) call.abort(clientGone());
  }

  /** Stops watching. Idempotent. */
  end(): void {
    this.#services.ticker.delete(this);
    if (this.#readsOn) this.#services.readingOn.end();
    this.#readsOn = false;
  }

  #leave(now: number): number {
    releaseSlot(this.#services.limiter, this.#held);
    this.#readsOn = this.#services.readingOn.begin();
    return now;
  }

  #checkProgress(call: UpstreamCall, now: number): void {
    const { signs } = call;
    if (signs !== this.#signs) {
      this.#signs = signs;
      this.#signsAt = now;
    }
    const { idleMs } = call.target.limits;
    if (signs === 0 && now >= this.#headEndsAt) call.abort(outOfTime("head", this.#headMs));
    else if (signs > 0 && now - this.#signsAt >= idleMs) call.abort(outOfTime("idle", idleMs));
  }
}
