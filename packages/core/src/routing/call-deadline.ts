import { clientGone, outOfTime } from "../errors/ended-early.ts";
import { freePlace } from "../limits/settle-reservation.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import type { Watched } from "../streaming/pulse.ts";
import type { UpstreamCall } from "./upstream-call.ts";

/**
 * Keeps the time of an answer in one piece, however many calls it takes. When its client has gone, the upstream bills the
 * whole answer all the same, so its usage is waited for, off the key's concurrency.
 */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: Services;
  readonly #held: Held;
  readonly #endsAt: number;
  /** The call that runs now. */
  call: UpstreamCall;
  #goneAt: number | undefined;
  #readsOn = false;

  constructor(services: Services, held: Held, call: UpstreamCall, endsAt: number) {
    this.#services = services;
    this.#held = held;
    this.call = call;
    this.#endsAt = endsAt;
    services.pulse.add(this);
  }

  tick(now: number): void {
    if (now >= this.#endsAt) this.call.abort(outOfTime("total", this.#services.upstream.totalMs));
    if (!this.#held.request.signal.aborted) return;
    if (this.#goneAt === undefined) this.#leave(now);
    if (!this.#readsOn || now - (this.#goneAt ?? now) >= this.#services.money.readOnMs) this.call.abort(clientGone());
  }

  end(): void {
    this.#services.pulse.delete(this);
    if (this.#readsOn) this.#services.readingOn.end();
    this.#readsOn = false;
  }

  #leave(now: number): void {
    this.#goneAt = now;
    freePlace(this.#services.limiter, this.#held);
    this.#readsOn = this.#services.readingOn.begin();
  }
}
