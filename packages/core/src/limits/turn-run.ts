import type { Reservation } from "../ports/limiter.ts";
import type { BodyShare } from "./body-budget.ts";
import type { Run } from "./in-flight.ts";

/** The run of a request that makes several calls. It ends when the request and all of its calls have ended. */
export class TurnRun implements Run {
  readonly id = crypto.randomUUID();
  reservation: Reservation | undefined;
  /** The request's own run holds the body, since each call of the turn sends the message again. */
  readonly body = undefined;
  readonly #request: Run;
  readonly #open = new Set<Run>([this]);

  constructor(request: Run) {
    this.#request = request;
  }

  get aborted(): boolean {
    return this.#request.aborted;
  }

  onAbort(listener: () => void): void {
    this.#request.onAbort(listener);
  }

  newShare(): BodyShare {
    return this.#request.newShare();
  }

  leaveKey(): void {
    this.#request.leaveKey();
  }

  /** Returns the run of one call, which has a reservation of its own. */
  call(): Run {
    const call = new CallRun(this, () => this.#close(call));
    this.#open.add(call);
    return call;
  }

  /** Ends the request's own part. A call that nobody waits for may still have to be settled. */
  end(): void {
    this.#close(this);
  }

  #close(run: Run): void {
    if (this.#open.delete(run) && this.#open.size === 0) this.#request.end();
  }
}

class CallRun implements Run {
  readonly id = crypto.randomUUID();
  reservation: Reservation | undefined;
  readonly body = undefined;
  readonly end: () => void;
  readonly #turn: Run;

  constructor(turn: Run, end: () => void) {
    this.#turn = turn;
    this.end = end;
  }

  get aborted(): boolean {
    return this.#turn.aborted;
  }

  newShare(): BodyShare {
    return this.#turn.newShare();
  }

  leaveKey(): void {
    this.#turn.leaveKey();
  }

  onAbort(listener: () => void): void {
    this.#turn.onAbort(listener);
  }
}
