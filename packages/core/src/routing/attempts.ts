import { GatewayError } from "../errors/gateway-error.ts";
import type { Model, ModelTarget } from "../ports/model.ts";
import { steadyNow } from "../runtime/timers.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import { isNoOp } from "../wire/inspected-names.ts";
import { planTargets, type TargetPreference } from "./plan-targets.ts";
import { canFailOver, retryWaitMs } from "./retry-rules.ts";
import type { RetrySettings } from "./routing-options.ts";
import type { TargetHealth } from "./target-health.ts";

/** The attempt that follows a failed one. */
export interface NextAttempt {
  readonly target: ModelTarget;
  /** The delay before it, in milliseconds. */
  readonly waitMs: number;
}

/** The services that attempts use. */
export interface AttemptServices {
  readonly routing: RetrySettings;
  readonly health: TargetHealth;
}

const noTargets: readonly ModelTarget[] = [];

/** The attempts of one request: retries on one target, then failover to the others in the order of their priority. */
export class Attempts {
  readonly #services: AttemptServices;
  /** The deadline of all attempts together, as a time of `steadyNow`. */
  readonly endsAt: number;
  #others: readonly ModelTarget[];
  #target: ModelTarget;
  #entry: number;
  #tries = 1;
  #count = 1;

  /** `preference` is asked only if there are several targets. */
  constructor(
    services: AttemptServices,
    targets: Model["targets"],
    preference: TargetPreference,
    startsAt = steadyNow(),
  ) {
    const [only] = targets;
    this.#services = services;
    const now = steadyNow();
    this.endsAt = startsAt + only.limits.totalMs;
    const planned = targets.length === 1 ? targets : planTargets(targets, services.health, preference, now);
    this.#target = planned[0] ?? only;
    this.#others = planned.length === 1 ? noTargets : planned.slice(1);
    this.#entry = services.health.recordStart(this.#target, now);
  }

  /** The target of the current attempt. */
  get target(): ModelTarget {
    return this.#target;
  }

  /** The number of attempts so far, including the current one. */
  get count(): number {
    return this.#count;
  }

  /** The number of other targets that may still be tried. */
  get othersLeft(): number {
    return this.#others.length;
  }

  /** Records that the target of the current attempt sent its first content. */
  recordFirstContent(): void {
    this.#services.health.recordFirstContent(this.#target, this.#entry);
  }

  /** Records that the current attempt succeeded. */
  recordSuccess(): void {
    this.#services.health.recordSuccess(this.#target, this.#entry);
  }

  /** Records that the current attempt ended for a reason other than its target, such as a disconnect of the client. */
  recordCancelled(): void {
    this.#services.health.recordCancelled(this.#target, this.#entry);
  }

  /** Records that the current attempt failed, when no other may follow. */
  recordFailure(cause: unknown): void {
    this.#services.health.recordFailure(this.#target, cause, steadyNow(), this.#entry);
  }

  /** Records that the current attempt failed, and moves to the next one. Returns undefined when none may follow. */
  next(cause: unknown): NextAttempt | undefined {
    const now = steadyNow();
    this.#services.health.recordFailure(this.#target, cause, now, this.#entry);
    if (now >= this.endsAt) return undefined;
    return this.#retry(cause, now) ?? this.#failOver(cause, now);
  }

  #retry(cause: unknown, now: number): NextAttempt | undefined {
    const { routing, health } = this.#services;
    if (this.#tries > routing.retries || !health.admits(this.#target, now)) return undefined;
    const waitMs = retryWaitMs(cause, this.#tries, routing);
    if (waitMs === undefined || now + waitMs >= this.endsAt) return undefined;
    this.#tries += 1;
    return this.#begin(this.#target, waitMs, now);
  }

  #failOver(cause: unknown, now: number): NextAttempt | undefined {
    // A target that is excluded now stays excluded, since its window is too small for this request.
    const eligible = this.#others.filter((other) => canFailOver(cause, this.#target, other));
    const at = eligible.findIndex((other) => this.#services.health.admits(other, now));
    const next = eligible[at];
    this.#others = eligible.slice(at + 1);
    if (next === undefined) return undefined;
    this.#tries = 1;
    return this.#begin(next, 0, now);
  }

  #begin(target: ModelTarget, waitMs: number, now: number): NextAttempt {
    this.#target = target;
    this.#count += 1;
    this.#entry = this.#services.health.recordStart(target, now);
    return { target, waitMs };
  }
}

/** The parts of a request that decide which targets can serve it. */
export interface RoutedRequest extends Pick<TargetPreference, "nativeMethod"> {
  readonly chat: ChatParameters;
  /** Why only targets that speak the dialect of the request can serve it. Undefined if all can. */
  readonly untranslatable: GatewayError | undefined;
}

/** Returns the targets that can serve the request. Throws the reason, such as `unsupported_parameter`, if none can. */
export function targetsFor(model: Pick<Model, "targets" | "refuses">, request: RoutedRequest): Model["targets"] {
  const targets = speakingTargets(model.targets, request);
  if (!model.refuses) return targets;
  const { chat } = request;
  const [first, ...others] = targets.filter((target) => refusedField(target, chat) === undefined);
  if (first !== undefined) return [first, ...others];
  const param = refusedField(targets[0], chat) ?? "";
  throw new GatewayError("unsupported_parameter", `\`${param}\` is not supported by this model. Leave it out.`, {
    param,
  });
}

/** Returns the targets that speak the dialect of a request, and the others too if it can be translated for them. */
function speakingTargets(targets: Model["targets"], request: RoutedRequest): Model["targets"] {
  const speaks = (target: ModelTarget) => request.nativeMethod(target) !== undefined;
  // Whether a request can be translated may be known only after it was parsed as a whole.
  if (targets.every(speaks)) return targets;
  const { untranslatable } = request;
  if (untranslatable === undefined) return targets;
  const [first, ...others] = targets.filter(speaks);
  if (first === undefined) throw untranslatable;
  return [first, ...others];
}

function refusedField({ provider }: ModelTarget, chat: ChatParameters): string | undefined {
  return provider.capabilities.refusedFields?.find(
    (field) => !writtenFields.has(field) && asksForSomething(field, chat[field]),
  );
}

/** Fields that the gateway writes itself for each target. */
const writtenFields: ReadonlySet<string> = new Set(["stream_options", "max_tokens", "max_completion_tokens"]);

function asksForSomething(field: string, value: unknown): boolean {
  if (isNoOp(field, value)) return false;
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
