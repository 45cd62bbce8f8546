import type { StreamOptions } from "../../request/stream-options.ts";
import type { ClientSide } from "./client-side.ts";

/** Keeps the times of one client's end of a stream, by looking now and then at what it counts. */
export class ClientClock {
  readonly #limits: Required<StreamOptions>;
  #writes = 0;
  #writesAt = Date.now();
  #takes = 0;
  #movedAt = Date.now();

  constructor(limits: Required<StreamOptions>) {
    this.#limits = limits;
  }

  /** True when the client has left bytes lying for too long. */
  stalled(now: number, client: ClientSide): boolean {
    if (client.unread === 0 || client.takes !== this.#takes) this.#movedAt = now;
    this.#takes = client.takes;
    return now - this.#movedAt >= this.#limits.stalledMs;
  }

  /** True when nothing was given out for so long that a comment is due. */
  silent(now: number, client: ClientSide): boolean {
    if (client.writes !== this.#writes) {
      this.#writes = client.writes;
      this.#writesAt = now;
    }
    return now - this.#writesAt >= this.#limits.keepAliveMs;
  }
}
