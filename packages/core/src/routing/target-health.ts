import { type AttemptFailure, attemptFailure, ProviderError } from "../errors/provider-error.ts";
import type { BreakerState } from "../ports/gateway-state.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import type { BreakerSettings } from "./routing-options.ts";

/** Called when a breaker of a target opens or closes. */
export type HealthListener = (target: ModelTarget, change: "opened" | "closed") => void;

/** How often a target reported an implausible usage; `lastAt` is in milliseconds since the Unix epoch. */
interface ImplausibleUsage {
  count: number;
  lastAt: number;
}

interface ModelHealth {
  readonly model: Breaker;
  readonly implausible: ImplausibleUsage;
}

/** The health of one target: that of its model, and that of the host's account at its provider. */
interface Health extends ModelHealth {
  readonly account: Breaker;
}

interface ProviderHealth {
  /** For the host's account at the provider, whose failures affect every model. */
  readonly account: Breaker;
  readonly models: Map<string, ModelHealth>;
}

/** The state of a target. */
interface TargetState {
  readonly state: BreakerState;
  /** The end of the cooldown. */
  readonly until: number;
  /** When and why its breaker opened. Undefined for a closed one. */
  readonly opened: Opening | undefined;
  readonly implausible: ImplausibleUsage;
}

/**
 * The breakers of all targets: one for each upstream model, and one for each account at a provider. Their times are milliseconds on
 * the clock of `steadyNow`, so that a target is not left out for longer when the date of the machine is set back.
 */
export class TargetHealth {
  readonly #settings: BreakerSettings;
  readonly #onChange: HealthListener;
  readonly #providers = new WeakMap<ProviderAdapter, ProviderHealth>();
  /** Caches the look-up, which every request repeats. */
  readonly #targets = new WeakMap<ModelTarget, Health>();
  #entries = 0;

  constructor(settings: BreakerSettings, onChange: HealthListener) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  /** Returns true if a request may be sent to the target now. */
  admits(target: ModelTarget, now: number): boolean {
    const { account, model } = this.#breakers(target);
    return account.admits(now) && model.admits(now);
  }

  /** Returns the state of the target. */
  stateOf(target: ModelTarget, now: number): TargetState {
    const { account, model, implausible } = this.#breakers(target);
    const until = Math.max(account.openUntil, model.openUntil);
    const opened = account.opened ?? model.opened;
    if (opened === undefined) return { state: "closed", until, opened, implausible };
    return { state: account.admits(now) && model.admits(now) ? "half_open" : "open", until, opened, implausible };
  }

  /** Records that the target reported an implausible usage. */
  countImplausible(target: ModelTarget, now: number): void {
    const { implausible } = this.#breakers(target);
    implausible.count += 1;
    implausible.lastAt = now;
  }

  /** Returns the time of its last failure; 0 if there was none. */
  failedAt(target: ModelTarget): number {
    const { account, model } = this.#breakers(target);
    return Math.max(account.failedAt, model.failedAt);
  }

  /** Records that a request is sent to the target. Returns the entry number for reporting its result. */
  recordStart(target: ModelTarget, now: number): number {
    const { account, model } = this.#breakers(target);
    this.#entries += 1;
    account.enter(now, this.#entries);
    model.enter(now, this.#entries);
    return this.#entries;
  }

  /** Records the first content of a stream. For an open target that is a success; for others the end decides. */
  recordFirstContent(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    if (account.isOpen || model.isOpen) this.recordSuccess(target, entry);
  }

  /** Records a success. */
  recordSuccess(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    const closedAccount = account.succeed(entry);
    if (model.succeed(entry) || closedAccount) this.#onChange(target, "closed");
  }

  /** Records a failure. It counts unless it concerns this request only, or is a 403, which one client's content can cause. */
  recordFailure(target: ModelTarget, cause: unknown, now: number, entry: number): void {
    const { account, model } = this.#breakers(target);
    if (opens(cause, account, model, now, entry)) this.#onChange(target, "opened");
    account.leave(entry);
    model.leave(entry);
  }

  /** Records that a request ended for a reason other than the target, such as a disconnect of the client. */
  recordCancelled(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    account.leave(entry);
    model.leave(entry);
  }

  #breakers(target: ModelTarget): Health {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    const found = this.#find(target);
    this.#targets.set(target, found);
    return found;
  }

  #find({ provider, upstreamModel }: ModelTarget): Health {
    const known = this.#providers.get(provider);
    const health = known ?? { account: new Breaker(this.#settings), models: new Map<string, ModelHealth>() };
    if (known === undefined) this.#providers.set(provider, health);
    const ofModel = health.models.get(upstreamModel) ?? {
      model: new Breaker(this.#settings),
      implausible: { count: 0, lastAt: 0 },
    };
    health.models.set(upstreamModel, ofModel);
    return { account: health.account, ...ofModel };
  }
}

const countedFailures: ReadonlySet<string> = new Set([
  "failed",
  "overloaded",
  "unreachable",
  "timeout",
  "invalid_response",
]);

function opens(cause: unknown, account: Breaker, model: Breaker, now: number, entry: number): boolean {
  if (!ProviderError.is(cause)) return false;
  const failure = attemptFailure(cause);
  if (cause.failure !== "credentials") return countedFailures.has(cause.failure) && model.fail(now, entry, failure);
  const { status = 401, requestOnly = false } = cause.details;
  if (status === 403 || requestOnly) return false;
  // Any other status, such as 404 for an unknown model, does not concern the account.
  return status === 401 || status === 402 ? account.open(now, entry, failure) : model.open(now, entry, failure);
}

/** When a breaker opened, and the last failure that opened it or kept it open. */
interface Opening {
  readonly at: number;
  readonly cause: AttemptFailure;
}

/**
 * A circuit breaker. It opens after consecutive failures, or at once by `open`. After the cooldown it is half-open and
 * admits one probe: a success closes it, a failure opens it again, and if the probe has no result, another is admitted
 * after one more cooldown. Requests that were running when it opened do not change it.
 *
 * Every request has a number, its entry, which is higher than those before.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  #failures = 0;
  #opened: Opening | undefined;
  #openUntil = 0;
  #lastEntry = 0;
  /** The last entry before it opened. */
  #openedAfter = 0;
  /** The entry of the probe; 0 if there is none. */
  #probe = 0;
  /** The time of the last failure; 0 if there was none. */
  failedAt = 0;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** When and why it opened. Undefined while it is closed. */
  get opened(): Opening | undefined {
    return this.#opened;
  }

  /** The end of the cooldown; 0 while it is closed. */
  get openUntil(): number {
    return this.isOpen ? this.#openUntil : 0;
  }

  /** Returns true if a request may be sent now. With an open breaker, that request is the probe. */
  admits(now: number): boolean {
    return !this.isOpen || now >= this.#openUntil;
  }

  /** Records that a request is sent, which may happen although the breaker is open. */
  enter(now: number, entry: number): void {
    this.#lastEntry = entry;
    if (!this.isOpen || now < this.#openUntil) return;
    this.#probe = entry;
    this.#openUntil = now + this.#settings.cooldownMs;
  }

  /** Records that a request ended without a result. If it was the probe, another request may probe. */
  leave(entry: number): void {
    if (this.isOpen && entry === this.#probe) this.#openUntil = 0;
  }

  /** Records a success. Returns true if it closed the breaker. */
  succeed(entry: number): boolean {
    if (this.#isStale(entry)) return false;
    const wasOpen = this.isOpen;
    this.#opened = undefined;
    this.#failures = 0;
    return wasOpen;
  }

  /** Records a failure. Returns true if it opened the breaker. */
  fail(now: number, entry: number, cause: AttemptFailure): boolean {
    this.failedAt = now;
    this.#failures += 1;
    return this.isOpen || this.#failures >= this.#settings.threshold ? this.open(now, entry, cause) : false;
  }

  /** Opens the breaker at once. Returns true if it was closed. */
  open(now: number, entry: number, cause: AttemptFailure): boolean {
    this.failedAt = now;
    if (this.#isStale(entry)) return false;
    const wasOpen = this.isOpen;
    this.#opened = { at: this.#opened?.at ?? now, cause };
    this.#openUntil = now + this.#settings.cooldownMs;
    this.#openedAfter = this.#lastEntry;
    this.#probe = 0;
    return !wasOpen;
  }

  #isStale(entry: number): boolean {
    return this.isOpen && entry <= this.#openedAfter;
  }
}
