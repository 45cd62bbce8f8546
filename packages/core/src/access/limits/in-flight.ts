import { draining } from "../../errors/call-errors.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Reservation } from "../../ports/limiter.ts";
import { IndexedSet, type Listed } from "../../runtime/shared-ticker.ts";
import { type BodyBudget, BodyShare, KeyUses } from "./body-budget.ts";
import { limitError } from "./limiter-results.ts";

/**
 * Counts the requests that run in this process, together and per key, and refuses those above the limits. It also counts the
 * open charges of the host.
 */
export class InFlight {
  readonly #all: number;
  readonly #perKey: number;
  readonly #bodies: BodyBudget;
  readonly #uses = new KeyUses();
  readonly #slots = new IndexedSet<Slot>();
  readonly #charges = new Set<symbol>();
  readonly #idle: (() => void)[] = [];
  #draining = false;

  /** `all` and `perKey` are how many requests may run, of all keys together and of one key. */
  constructor({ all, perKey }: { readonly all: number; readonly perKey: number }, bodies: BodyBudget) {
    this.#all = all;
    this.#perKey = perKey;
    this.#bodies = bodies;
  }

  get count(): number {
    return this.#slots.size + this.#charges.size;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /**
   * Admits a request. Throws a 503 while draining or full, and a 429 when its key runs as many requests here as
   * `concurrency` or the limit of this process allows.
   */
  enter(keyId: string, concurrency = this.#perKey): Slot {
    if (this.#draining) throw shuttingDown();
    if (this.#slots.size >= this.#all) throw full();
    const use = this.#uses.of(keyId);
    const limit = Math.min(concurrency, this.#perKey);
    if (use.running >= limit) throw tooManyAtOnce(limit);
    use.running += 1;
    const slot = new Slot(new BodyShare(this.#bodies, use), this.#leave);
    this.#slots.add(slot);
    return slot;
  }

  /**
   * Counts a charge of the host, to which no limit applies, until the returned function is called. Throws a 503 while
   * draining.
   */
  enterCharge(): () => void {
    if (this.#draining) throw shuttingDown();
    const charge = Symbol("charge");
    this.#charges.add(charge);
    return () => {
      this.#charges.delete(charge);
      this.#resolveWhenIdle();
    };
  }

  /** Refuses every further request. */
  close(): void {
    this.#draining = true;
  }

  /** Resolves when no request is running and no charge is open. */
  whenIdle(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Aborts every running request. */
  abortAll(): void {
    for (const slot of this.#slots.snapshot()) slot.abort();
  }

  readonly #leave = (slot: Slot): void => {
    this.#slots.delete(slot);
    slot.body.release();
    slot.leaveKey();
    const { use } = slot.body;
    if (use.running === 0) this.#uses.remove(use);
    this.#resolveWhenIdle();
  };

  #resolveWhenIdle(): void {
    if (this.count === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** What a request does at present, which can be aborted. */
export interface Abortable {
  abort(cause: GatewayError): void;
}

/** The place of a running request in the limits of this process. It ends when everything is settled or released. */
export class Slot implements Listed {
  position = -1;
  /** True once the gateway has aborted the request. */
  aborted = false;
  /** The reservation of a call that is not paid yet. It is set before the limiter is asked, since a call that times out may exist. */
  pending: Reservation | undefined;
  /** The part of the body budget that its body uses until it is released or the slot ends. */
  readonly body: BodyShare;
  readonly #leave: (slot: Slot) => void;
  #abortable: Abortable | undefined;
  /** The request itself, or its one call; a turn adds each of its calls. */
  #holders = 1;
  #leftKey = false;

  constructor(body: BodyShare, leave: (slot: Slot) => void) {
    this.body = body;
    this.#leave = leave;
  }

  /** Sets what to abort when the gateway aborts the request, at the end of a drain, in place of what was set before. */
  onAbort(abortable: Abortable): void {
    this.#abortable = abortable;
  }

  abort(): void {
    this.aborted = true;
    this.#abortable?.abort(draining());
  }

  /** Returns a further part of the budget of the key, which must be released and may outlive the slot. */
  newShare(): BodyShare {
    return new BodyShare(this.body.budget, this.body.use);
  }

  /** The client disconnected: the request continues, but no longer counts for its key. Idempotent. */
  leaveKey(): void {
    if (this.#leftKey) return;
    this.#leftKey = true;
    this.body.use.running -= 1;
  }

  /** Adds a call, which must be released too. */
  retain(): void {
    this.#holders += 1;
  }

  /** Releases the request itself or one of its calls. The slot ends with the last one, after which this does nothing. */
  release(): void {
    if (this.#holders === 0) return;
    this.#holders -= 1;
    if (this.#holders === 0) this.#leave(this);
  }
}

const shuttingDown = (): GatewayError =>
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

/** Limits how many calls of one kind each key runs at once in this process. */
export class KeySlots {
  readonly #perKey: number;
  readonly #taken = new Map<string, number>();

  constructor(perKey: number) {
    this.#perKey = perKey;
  }

  /** Takes a slot of a key, which the caller releases with `end`. Returns false when all are taken. */
  begin(keyId: string): boolean {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= this.#perKey) return false;
    this.#taken.set(keyId, taken + 1);
    return true;
  }

  /** Runs a call in a slot of a key. Throws 429 when all are taken. */
  async run<Result>(keyId: string, call: () => Promise<Result>): Promise<Result> {
    if (!this.begin(keyId)) throw tooManyAtOnce(this.#perKey);
    try {
      return await call();
    } finally {
      this.end(keyId);
    }
  }

  end(keyId: string): void {
    const left = (this.#taken.get(keyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(keyId, left);
    else this.#taken.delete(keyId);
  }
}

/**
 * Limits the calls whose upstream is read for its usage after the client disconnected. Calls above the limit are ended
 * and estimated.
 */
export class UsageDrains {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a slot, which the caller releases with `end`. Returns false when all are taken. */
  begin(): boolean {
    if (this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }

  end(): void {
    this.#count -= 1;
  }
}
