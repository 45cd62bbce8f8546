import { GatewayError } from "../errors/gateway-error.ts";
import type { Reservation } from "../ports/limiter.ts";
import { IndexedSet, type Listed } from "../runtime/shared-ticker.ts";
import { type BodyBudget, BodyShare, KeyUses } from "./body-budget.ts";
import { limitError } from "./limiter-results.ts";

/** One running request, from its admission to its settlement. */
export interface Run {
  /** A UUID generated here, by which stores know the request. Never the request id, which a client may choose. */
  readonly id: string;
  /** True once the gateway has aborted the request. */
  readonly aborted: boolean;
  /** Sets the one function to call when the gateway aborts the request, at the end of a drain; it replaces the function before. */
  onAbort(listener: () => void): void;
  /** Its reservation in the limits of its key, until the bill is closed. */
  reservation: Reservation | undefined;
  /** The part of the body budget that its body uses until it is released or the run ends. Undefined for a body made by the gateway. */
  readonly body: BodyShare | undefined;
  /** Returns a further part of the budget of the key, which must be released and may outlive the run. */
  newShare(): BodyShare;
  /** The client disconnected: the request continues, but no longer counts for its key. Idempotent. */
  leaveKey(): void;
  /** Ends the run once everything is settled or released. Idempotent. */
  end(): void;
}

/** How many requests may run in this process, of all keys together and of one key. */
export interface InFlightLimits {
  readonly all: number;
  readonly perKey: number;
}

/** Counts the requests that run in this process, together and per key, and refuses those above the limits. */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #bodies: BodyBudget;
  readonly #uses = new KeyUses();
  readonly #runs = new IndexedSet<ActiveRun>();
  readonly #idle: (() => void)[] = [];
  #draining = false;

  constructor(limits: InFlightLimits, bodies: BodyBudget) {
    this.#limits = limits;
    this.#bodies = bodies;
  }

  get count(): number {
    return this.#runs.size;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /**
   * Admits a request with a UUID. Throws a 503 while draining or full, and a 429 when its key runs as many requests here
   * as `concurrency` or the limit of this process allows.
   */
  enter(id: string, keyId: string, concurrency = this.#limits.perKey): Run {
    if (this.#draining) throw draining();
    if (this.#runs.size >= this.#limits.all) throw full();
    const use = this.#uses.of(keyId);
    const limit = Math.min(concurrency, this.#limits.perKey);
    if (use.running >= limit) throw tooManyAtOnce(limit);
    use.running += 1;
    const run = new ActiveRun(id, new BodyShare(this.#bodies, use), this.#leave);
    this.#runs.add(run);
    return run;
  }

  /** Refuses every further request. */
  close(): void {
    this.#draining = true;
  }

  /** Resolves when no request is running. */
  whenIdle(): Promise<void> {
    return this.#runs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Aborts every running request. */
  abortAll(): void {
    for (const run of this.#runs.snapshot()) run.abort();
  }

  readonly #leave = (run: ActiveRun): void => {
    this.#runs.delete(run);
    run.body.release();
    run.leaveKey();
    const { use } = run.body;
    if (use.running === 0) this.#uses.remove(use);
    if (this.#runs.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  };
}

class ActiveRun implements Run, Listed {
  readonly id: string;
  position = -1;
  aborted = false;
  reservation: Reservation | undefined;
  readonly body: BodyShare;
  readonly #leave: (run: ActiveRun) => void;
  #listener: (() => void) | undefined;
  #over = false;
  #leftKey = false;

  constructor(id: string, body: BodyShare, leave: (run: ActiveRun) => void) {
    this.id = id;
    this.body = body;
    this.#leave = leave;
  }

  onAbort(listener: () => void): void {
    this.#listener = listener;
  }

  abort(): void {
    this.aborted = true;
    this.#listener?.();
  }

  newShare(): BodyShare {
    return new BodyShare(this.body.budget, this.body.use);
  }

  leaveKey(): void {
    if (this.#leftKey) return;
    this.#leftKey = true;
    this.body.use.running -= 1;
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#leave(this);
  }
}

const draining = (): GatewayError =>
  new GatewayError("draining", "This server is shutting down. Send the request again.", { retryAfterSeconds: 1 });

const full = (): GatewayError =>
  new GatewayError(
    "over_capacity",
    "This server has reached its limit of concurrent requests. Try again in a moment.",
    {
      retryAfterSeconds: 1,
    },
  );

function tooManyAtOnce(limit: number): GatewayError {
  const now = Date.now();
  return limitError(
    "concurrency",
    { limit, remaining: 0, resetAt: now + 1_000, now },
    "Too many requests at the same time.",
  );
}
