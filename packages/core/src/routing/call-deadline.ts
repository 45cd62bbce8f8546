import { clientGone, outOfTime } from "../errors/ended-early.ts";
import type { ClientSignal } from "../ports/client-request.ts";
import type { Services } from "../services.ts";
import type { Watched } from "../streaming/pulse.ts";
import type { UpstreamCall } from "./upstream-call.ts";

// The upstream bills the whole answer by now, so its usage is worth waiting for.
const readOnForMs = 30_000;

/** Keeps the time of an answer in one piece, however many calls it takes, also after its client has gone. */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: Services;
  readonly #client: ClientSignal;
  readonly #endsAt: number;
  /** The call that runs now. */
  call: UpstreamCall;
  #goneAt: number | undefined;

  constructor(services: Services, client: ClientSignal, call: UpstreamCall, endsAt: number) {
    this.#services = services;
    this.#client = client;
    this.call = call;
    this.#endsAt = endsAt;
    services.pulse.add(this);
  }

  tick(now: number): void {
    if (now >= this.#endsAt) this.call.abort(outOfTime("total", this.#services.upstream.totalMs));
    if (!this.#client.aborted) return;
    this.#goneAt ??= now;
    if (now - this.#goneAt >= readOnForMs) this.call.abort(clientGone());
  }

  end(): void {
    this.#services.pulse.delete(this);
  }
}
