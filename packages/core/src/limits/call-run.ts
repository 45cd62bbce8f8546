import type { Reservation } from "../ports/limiter.ts";
import type { Run } from "./in-flight.ts";

/** The run of one call within a request that makes several: it takes limits of its own, and ends with the request's. */
export class CallRun implements Run {
  readonly id = crypto.randomUUID();
  reservation: Reservation | undefined;
  readonly #request: Run;

  constructor(request: Run) {
    this.#request = request;
  }

  get aborted(): boolean {
    return this.#request.aborted;
  }

  onAbort(listener: () => void): void {
    this.#request.onAbort(listener);
  }

  /** The request goes on. */
  end(): void {}
}
