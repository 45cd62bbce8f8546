import { clientGone, outOfTime } from "../errors/ended-early.ts";
import type { ClientSignal } from "../ports/client-request.ts";
import type { Services } from "../services.ts";
import type { Watched } from "../streaming/pulse.ts";
import type { UpstreamCall } from "./upstream-call.ts";

// The upstream bills the whole answer by now, so its usage is worth waiting for.
const readOnForMs = 30_000;

/** What is known of all attempts at an answer. */
interface Attempted {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly othersLeft: number;
}

/** Keeps the times of an answer in one piece: of each of its calls, and of all together, also after its client has gone. */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: Pick<Services, "pulse">;
  readonly #client: ClientSignal;
  readonly #attempts: Attempted;
  #call: UpstreamCall;
  #headMs = 0;
  #headEndsAt = 0;
  #signs = 0;
  #signsAt = 0;
  #goneAt: number | undefined;

  constructor(
    services: Pick<Services, "pulse">,
    client: ClientSignal,
    call: UpstreamCall,
    attempts: Attempted,
    now = Date.now(),
  ) {
    this.#services = services;
    this.#client = client;
    this.#attempts = attempts;
    this.#call = call;
    this.#startHead(now);
    services.pulse.add(this);
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
    const { totalMs } = this.#call.target.limits;
    if (now >= this.#attempts.endsAt) this.#call.abort(outOfTime("total", totalMs));
    else this.#lookAtCall(now);
    if (!this.#client.aborted) return;
    this.#goneAt ??= now;
    if (now - this.#goneAt >= readOnForMs) this.#call.abort(clientGone());
  }

  end(): void {
    this.#services.pulse.delete(this);
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
