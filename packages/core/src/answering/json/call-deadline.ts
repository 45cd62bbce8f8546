import { clientGone, outOfTime } from "../../errors/ended-early.ts";
import { freePlace } from "../../limits/settle-reservation.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import type { UpstreamCall } from "../call/upstream-call.ts";

/** What is known of all attempts at an answer. */
interface Attempted {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly othersLeft: number;
}

/**
 * Keeps the times of an answer in one piece: of each of its calls, and of all together. When its client has gone, the
 * upstream bills the whole answer all the same, so its usage is waited for, off the key's concurrency.
 */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: Services;
  readonly #held: Held;
  readonly #attempts: Attempted;
  #call: UpstreamCall;
  #headMs = 0;
  #headEndsAt = 0;
  #signs = 0;
  #signsAt = 0;
  #goneAt: number | undefined;
  #readsOn = false;

  constructor(services: Services, held: Held, call: UpstreamCall, attempts: Attempted, now = Date.now()) {
    this.#services = services;
    this.#held = held;
    this.#attempts = attempts;
    this.#call = call;
    this.#startHead(now);
    services.ticker.add(this);
  }

  /** The call that runs now. */
  get call(): UpstreamCall {
    return this.#call;
  }

  /** Another call takes its place at `startsAt`, in milliseconds since the Unix epoch. */
  moveTo(call: UpstreamCall, startsAt: number): void {
    this.#call = call;
    this.#startHead(startsAt);
  }

  tick(now: number): void {
    if (now >= this.#attempts.endsAt) this.#call.abort(outOfTime("total", this.#call.target.limits.totalMs));
    else this.#lookAtCall(now);
    if (!this.#held.request.signal.aborted) return;
    if (this.#goneAt === undefined) this.#leave(now);
    if (!this.#readsOn || now - (this.#goneAt ?? now) >= this.#services.money.readOnMs) this.#call.abort(clientGone());
  }

  end(): void {
    this.#services.ticker.delete(this);
    if (this.#readsOn) this.#services.readingOn.end();
    this.#readsOn = false;
  }

  #leave(now: number): void {
    this.#goneAt = now;
    freePlace(this.#services.limiter, this.#held);
    this.#readsOn = this.#services.readingOn.begin();
  }

  /** A call that is silent leaves those behind it an equal share of the time. */
  #startHead(now: number): void {
    const { endsAt, othersLeft } = this.#attempts;
    const { headMs } = this.#call.target.limits;
    this.#headMs = othersLeft === 0 ? headMs : Math.min(headMs, Math.ceil((endsAt - now) / (othersLeft + 1)));
    this.#headEndsAt = now + this.#headMs;
    this.#signs = 0;
  }

  #lookAtCall(now: number): void {
    const { signs } = this.#call;
    if (signs !== this.#signs) {
      this.#signs = signs;
      this.#signsAt = now;
    }
    const { idleMs } = this.#call.target.limits;
    if (signs === 0 && now >= this.#headEndsAt) this.#call.abort(outOfTime("head", this.#headMs));
    else if (signs > 0 && now - this.#signsAt >= idleMs) this.#call.abort(outOfTime("idle", idleMs));
  }
}
