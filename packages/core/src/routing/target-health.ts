import { ProviderError } from "../errors/provider-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { Breaker } from "./breaker.ts";
import type { BreakerSettings } from "./routing-options.ts";

/** What is told of a target whose breaker opened or closed. */
export type HealthListener = (target: ModelTarget, change: "opened" | "closed") => void;

/** The breakers that guard one target. */
interface TargetBreakers {
  readonly account: Breaker;
  readonly model: Breaker;
}

interface ProviderHealth {
  /** Of the host's account there: its fault is that of every model. */
  readonly account: Breaker;
  readonly models: Map<string, Breaker>;
}

/** The breakers of all targets: one for each upstream model, and one for the account that its provider uses. */
export class TargetHealth {
  readonly #settings: BreakerSettings;
  readonly #tell: HealthListener;
  readonly #providers = new WeakMap<ProviderAdapter, ProviderHealth>();
  /** What was found before, since every request asks more than once. */
  readonly #targets = new WeakMap<ModelTarget, TargetBreakers>();
  #entries = 0;

  constructor(settings: BreakerSettings, tell: HealthListener) {
    this.#settings = settings;
    this.#tell = tell;
  }

  /** True when a request may be sent there now. */
  admits(target: ModelTarget, now: number): boolean {
    const { account, model } = this.#breakers(target);
    return account.admits(now) && model.admits(now);
  }

  /** When it last failed, in milliseconds since the Unix epoch; 0: never. */
  failedAt(target: ModelTarget): number {
    const { account, model } = this.#breakers(target);
    return Math.max(account.failedAt, model.failedAt);
  }

  /** A request is sent there; gives the number by which to tell what came of it. */
  enter(target: ModelTarget, now: number): number {
    const { account, model } = this.#breakers(target);
    this.#entries += 1;
    account.enter(now, this.#entries);
    model.enter(now, this.#entries);
    return this.#entries;
  }

  /** A stream has its first content: enough for a target that was left alone, while others are judged by their end. */
  answer(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    if (account.isOpen || model.isOpen) this.succeed(target, entry);
  }

  succeed(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    const closedAccount = account.succeed(entry);
    if (model.succeed(entry) || closedAccount) this.#tell(target, "closed");
  }

  /** Counts what failed, as far as it speaks against the target: not when a request was at fault or alone was refused, and not a 403, which one caller's content can cause. */
  fail(target: ModelTarget, cause: unknown, now: number, entry: number): void {
    const { account, model } = this.#breakers(target);
    if (opens(cause, account, model, now, entry)) this.#tell(target, "opened");
    account.leave(entry);
    model.leave(entry);
  }

  /** A request that was sent there ended for another reason, such as its client. */
  leave(target: ModelTarget, entry: number): void {
    const { account, model } = this.#breakers(target);
    account.leave(entry);
    model.leave(entry);
  }

  #breakers(target: ModelTarget): TargetBreakers {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    const found = this.#find(target);
    this.#targets.set(target, found);
    return found;
  }

  #find({ provider, upstreamModel }: ModelTarget): TargetBreakers {
    const known = this.#providers.get(provider);
    const health = known ?? { account: new Breaker(this.#settings), models: new Map<string, Breaker>() };
    if (known === undefined) this.#providers.set(provider, health);
    const model = health.models.get(upstreamModel) ?? new Breaker(this.#settings);
    health.models.set(upstreamModel, model);
    return { account: health.account, model };
  }
}

const counted: ReadonlySet<string> = new Set(["failed", "overloaded", "unreachable", "timeout", "invalid_response"]);

function opens(cause: unknown, account: Breaker, model: Breaker, now: number, entry: number): boolean {
  if (!ProviderError.is(cause)) return false;
  if (cause.failure !== "credentials") return counted.has(cause.failure) && model.fail(now, entry);
  const { status = 401, requestOnly = false } = cause.details;
  if (status === 403 || requestOnly) return false;
  // Whatever else is refused, such as a model that is not known, is no matter of the account.
  return status === 401 || status === 402 ? account.open(now, entry) : model.open(now, entry);
}
