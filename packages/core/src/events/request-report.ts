import { errorKind } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { AttemptFailure } from "../errors/provider-error.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { CallReport, Ending, Observer } from "../ports/observer.ts";
import type { TargetAttempts } from "../ports/usage-store.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import { endUserOf } from "../wire/end-user.ts";
import { sumUsage } from "../wire/usage.ts";
import { Timeline } from "./timeline.ts";
import { addTokens } from "./usage-totals.ts";

/** The members of Services that reports use. */
interface Observing {
  readonly observe: Observer;
  /** False: only refusals are reported. */
  readonly observed: boolean;
}

/**
 * Reports the start of a request, and its end exactly once: after it was answered or refused, its stream ended, and
 * every model call was charged.
 */
export class RequestReport {
  readonly #id: string;
  readonly #requestId: string;
  readonly #startedAt: number;
  key: ApiKey | undefined;
  /** The public id of the selected model. */
  model: string | undefined;
  /** The session of a turn, which may have several calls, each of which emits an event of its own. */
  sessionId: string | undefined;
  /** The end user of a token, in place of the one that the client names. */
  tokenEndUser: string | undefined;
  #endUser: string | undefined;
  #endpoint = "unknown";
  /** The status of the response, or the error that it has. */
  #outcome: number | GatewayError | undefined;
  #ending: Ending | undefined;
  #calls: CallReport | undefined;
  #timeline: Timeline | undefined;
  /** The target of the first attempt. */
  #tried: ModelTarget | undefined;
  /** The targets of the attempts after the first. */
  #triedLater: ModelTarget[] | undefined;
  #failures: FailedAttempt[] | undefined;
  /** The start of the last attempt, in milliseconds since the Unix epoch. */
  #attemptAt = 0;
  /** Counts the response itself, and each stream and charge that has not ended. */
  #open = 1;

  constructor(id: string, requestId: string, startedAt: number) {
    this.#id = id;
    this.#requestId = requestId;
    this.#startedAt = startedAt;
  }

  /** Reports the start of the request. */
  start({ observe, observed }: Observing, endpoint: string | undefined): void {
    if (endpoint !== undefined) this.#endpoint = endpoint;
    if (!observed) return;
    this.#timeline = new Timeline(this.#startedAt);
    observe({
      type: "request.started",
      at: this.#startedAt,
      requestId: this.#requestId,
      endpoint: this.#endpoint,
    });
  }

  /** Adds a step to the timeline, if there is an observer. */
  mark(step: string, detail?: string): void {
    this.#timeline?.add(step, detail);
  }

  /** Records the start of an attempt at a target. */
  markAttempt(target: ModelTarget): void {
    this.#attemptAt = Date.now();
    if (this.#timeline === undefined) return;
    this.#timeline.add("attempt", `${target.provider.name}/${target.upstreamModel}`);
    if (this.#tried === undefined) this.#tried = target;
    else {
      this.#triedLater ??= [];
      this.#triedLater.push(target);
    }
  }

  /** Records that the last attempt failed. Returns how long it took, in milliseconds. */
  attemptFailed(target: ModelTarget, failed: AttemptFailure): number {
    if (this.#timeline !== undefined) {
      this.#timeline.addFailure(failed);
      this.#failures ??= [];
      this.#failures.push({ target, failure: failed.failure });
    }
    return Date.now() - this.#attemptAt;
  }

  /** Records the end user that the client names, if there is an observer. */
  readEndUser(chat: ChatParameters): void {
    if (this.#timeline !== undefined) this.#endUser = endUserOf(chat);
  }

  /** Delays the end event for one more stream or charge, until {@link close}. */
  open(): void {
    this.#open += 1;
  }

  /** Records that a stream or charge of {@link open}, or the response itself, has ended. */
  close(observing: Observing): void {
    this.#open -= 1;
    if (this.#open === 0 && this.#outcome !== undefined) this.#end(observing, this.#outcome);
  }

  /** Records that a model call was charged, and adds it to those before it. */
  charge(call: CallReport, ending: Ending): void {
    this.#timeline?.add("settled");
    this.#calls = this.#calls === undefined ? call : sumCalls(this.#calls, call);
    this.#ending = ending;
  }

  /** Records how a stream ended, after its status was sent. */
  streamEnded(ending: Ending): void {
    this.#ending = ending;
  }

  /** Records that the request was answered with this status. */
  answer(observing: Observing, status: number): void {
    this.#timeline?.add("answered");
    this.#outcome = status;
    this.close(observing);
  }

  /** Records that the request was answered with an error. */
  refuse(observing: Observing, refused: GatewayError): void {
    this.#timeline?.add("answered");
    this.#outcome = refused;
    this.close(observing);
  }

  #attemptsByTarget() {
    const [first, later, failures] = [this.#tried, this.#triedLater ?? [], this.#failures ?? []];
    if (first === undefined || (failures.length === 0 && later.every((target) => target === first))) return undefined;
    return { attemptsByTarget: attemptsByTarget([first, ...later], failures) };
  }

  #end({ observe, observed }: Observing, outcome: number | GatewayError): void {
    if (typeof outcome === "object") observe(this.#refusal(outcome));
    else if (observed)
      observe({ type: "request.completed", status: outcome, ...this.#common(this.#ending ?? "complete") });
  }

  #refusal({ code, details: { cause } }: GatewayError) {
    const { status } = errorKind(code);
    return {
      type: "request.refused" as const,
      status,
      code,
      ...this.#common(this.#ending === "complete" ? "refused" : (this.#ending ?? "refused")),
      ...(cause === undefined ? {} : { cause }),
    };
  }

  #common(ending: Ending) {
    const at = Date.now();
    const { key, model, sessionId, tokenEndUser: endUser = this.#endUser } = this;
    return {
      at,
      id: this.#id,
      requestId: this.#requestId,
      endpoint: this.#endpoint,
      durationMs: at - this.#startedAt,
      ending,
      ...(key === undefined ? {} : { keyId: key.id, account: key.account, plan: key.plan }),
      ...(key?.tags === undefined || key.tags.length === 0 ? {} : { tags: key.tags }),
      ...(model === undefined ? {} : { model }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(endUser === undefined ? {} : { endUser }),
      ...this.#calls,
      ...this.#attemptsByTarget(),
      timeline: this.#timeline?.steps ?? [],
    };
  }
}

/** An attempt that failed, with the class of its failure. */
interface FailedAttempt {
  readonly target: ModelTarget;
  readonly failure: string;
}

/** Counts attempts by their target: `tried` has the target of each attempt, and `failures` those that failed. */
function attemptsByTarget(
  tried: readonly ModelTarget[],
  failures: readonly FailedAttempt[],
): readonly TargetAttempts[] {
  return [...new Set(tried)].map((target) => {
    const failed: Record<string, number> = {};
    for (const { failure } of failures.filter((each) => each.target === target))
      failed[failure] = (failed[failure] ?? 0) + 1;
    const { provider, upstreamModel } = target;
    return { provider: provider.name, upstreamModel, attempts: tried.filter((each) => each === target).length, failed };
  });
}

/** Combines two calls of one request: the target of the last one, and the sums of usage and cost. */
function sumCalls(before: CallReport, { upstreamCost, ...last }: CallReport): CallReport {
  const tokens = { ...before.tokens };
  addTokens(tokens, last.tokens);
  const isKnown = before.upstreamCost !== undefined && upstreamCost !== undefined;
  return {
    ...last,
    tokens,
    // The sum of some calls alone would show a margin that is too high.
    ...(isKnown ? { upstreamCost: before.upstreamCost + upstreamCost } : {}),
    attempts: before.attempts + last.attempts,
    usage: sumUsage(before.usage, last.usage),
    estimated: before.estimated || last.estimated,
    implausible: before.implausible || last.implausible,
    cost: before.cost + last.cost,
    ...(before.firstContentMs === undefined ? {} : { firstContentMs: before.firstContentMs }),
  };
}
