import type { Model, ModelTarget } from "../ports/model.ts";
import { planTargets } from "./plan-targets.ts";
import { fallsBack, retryWaitMs } from "./retry-rules.ts";
import type { RetrySettings } from "./routing-options.ts";
import type { TargetHealth } from "./target-health.ts";

/** What follows an attempt that failed. */
export interface NextAttempt {
  readonly target: ModelTarget;
  /** Milliseconds to wait before it. */
  readonly waitMs: number;
}

/** What attempts need of the gateway. */
export interface AttemptServices {
  readonly routing: RetrySettings;
  readonly health: TargetHealth;
}

const none: readonly ModelTarget[] = [];

/** The attempts at answering one request: on one target again, then on the others, in the order of their priority. */
export class Attempts {
  readonly #services: AttemptServices;
  /** When the time for all of them is over, in milliseconds since the Unix epoch. */
  readonly endsAt: number;
  #others: readonly ModelTarget[];
  #target: ModelTarget;
  #entry: number;
  #tries = 1;
  #count = 1;

  constructor(services: AttemptServices, targets: Model["targets"], now = Date.now()) {
    const [only] = targets;
    this.#services = services;
    this.endsAt = now + only.limits.totalMs;
    const planned = targets.length === 1 ? targets : planTargets(targets, services.health, now);
    this.#target = planned[0] ?? only;
    this.#others = planned.length === 1 ? none : planned.slice(1);
    this.#entry = services.health.enter(this.#target, now);
  }

  /** Where the present attempt goes. */
  get target(): ModelTarget {
    return this.#target;
  }

  /** How many were made, the present one included. */
  get count(): number {
    return this.#count;
  }

  /** How many other targets may still be tried. */
  get othersLeft(): number {
    return this.#others.length;
  }

  /** The present attempt has begun to answer. */
  answer(): void {
    this.#services.health.answer(this.#target, this.#entry);
  }

  /** The present attempt answered. */
  succeed(): void {
    this.#services.health.succeed(this.#target, this.#entry);
  }

  /** The present attempt ended for a reason that says nothing of its target, such as its client. */
  leave(): void {
    this.#services.health.leave(this.#target, this.#entry);
  }

  /** The present attempt failed, and nothing may follow. */
  fail(cause: unknown): void {
    this.#services.health.fail(this.#target, cause, Date.now(), this.#entry);
  }

  /** The present attempt failed: the next one, which is the present one from now on; undefined when none may follow. */
  next(cause: unknown): NextAttempt | undefined {
    const now = Date.now();
    this.#services.health.fail(this.#target, cause, now, this.#entry);
    if (now >= this.endsAt) return undefined;
    return this.#again(cause, now) ?? this.#elsewhere(cause, now);
  }

  #again(cause: unknown, now: number): NextAttempt | undefined {
    const { routing, health } = this.#services;
    if (this.#tries > routing.retries || !health.admits(this.#target, now)) return undefined;
    const waitMs = retryWaitMs(cause, this.#tries, routing);
    if (waitMs === undefined || now + waitMs >= this.endsAt) return undefined;
    this.#tries += 1;
    return this.#go(this.#target, waitMs, now);
  }

  #elsewhere(cause: unknown, now: number): NextAttempt | undefined {
    // A target that cannot help now cannot help later either: its window is too small for this request.
    const helpful = this.#others.filter((other) => fallsBack(cause, this.#target, other));
    const at = helpful.findIndex((other) => this.#services.health.admits(other, now));
    const next = helpful[at];
    this.#others = helpful.slice(at + 1);
    if (next === undefined) return undefined;
    this.#tries = 1;
    return this.#go(next, 0, now);
  }

  #go(target: ModelTarget, waitMs: number, now: number): NextAttempt {
    this.#target = target;
    this.#count += 1;
    this.#entry = this.#services.health.enter(target, now);
    return { target, waitMs };
  }
}
