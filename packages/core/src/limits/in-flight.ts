import { GatewayError } from "../errors/gateway-error.ts";
import type { Reservation } from "../ports/limiter.ts";
import { type Listed, Roster } from "../roster.ts";

/** One running request, from its admission to its settlement. */
export interface Run {
  /** A UUID made here, for what this request takes from stores: never the request id, which a client may choose. */
  readonly id: string;
  /** True once the gateway has ended the request by force. */
  readonly aborted: boolean;
  /** Calls back when the gateway ends the request by force, at the end of a drain. */
  onAbort(listener: () => void): void;
  /** What it has, or may have, of its key's limits until its bill is closed. */
  reservation: Reservation | undefined;
  /** The request is over, settled or given back. Idempotent. */
  end(): void;
}

/** The requests that are running in this process, and the door that lets new ones in. */
export class InFlight {
  readonly #limit: number;
  readonly #runs = new Roster<ActiveRun>();
  readonly #idle: (() => void)[] = [];
  #draining = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#runs.size;
  }

  /** Lets a request with a UUID in, or refuses it with 503 while draining or full. */
  enter(id: string): Run {
    if (this.#draining) {
      throw new GatewayError("draining", "This server is shutting down. Send the request again.", {
        retryAfterSeconds: 1,
      });
    }
    if (this.#runs.size >= this.#limit) {
      throw new GatewayError(
        "over_capacity",
        "This server has as many requests as it can run. Try again in a moment.",
        {
          retryAfterSeconds: 1,
        },
      );
    }
    const run = new ActiveRun(id, this.#leave);
    this.#runs.add(run);
    return run;
  }

  /** Lets nobody in any more. */
  close(): void {
    this.#draining = true;
  }

  /** Resolves when nothing is running. */
  whenIdle(): Promise<void> {
    return this.#runs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Ends every running request by force. */
  abortAll(): void {
    for (const run of this.#runs.snapshot()) run.abort();
  }

  readonly #leave = (run: ActiveRun): void => {
    this.#runs.delete(run);
    if (this.#runs.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  };
}

class ActiveRun implements Run, Listed {
  readonly id: string;
  position = -1;
  aborted = false;
  reservation: Reservation | undefined;
  readonly #leave: (run: ActiveRun) => void;
  #listener: (() => void) | undefined;

  constructor(id: string, leave: (run: ActiveRun) => void) {
    this.id = id;
    this.#leave = leave;
  }

  onAbort(listener: () => void): void {
    this.#listener = listener;
  }

  abort(): void {
    this.aborted = true;
    this.#listener?.();
  }

  end(): void {
    this.#leave(this);
  }
}
