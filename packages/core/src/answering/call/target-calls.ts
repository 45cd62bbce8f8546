import type { Abortable } from "../../access/limits/in-flight.ts";
import { clientGone, outOfTime } from "../../errors/call-errors.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ProviderError } from "../../errors/provider-error.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Ending } from "../../ports/observer.ts";
import { RequestPreference } from "../../request/conversation.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { Attempts, type NextAttempt, targetsFor } from "../../routing/attempts.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import { steadyNow, wait } from "../../runtime/timers.ts";
import { Bill } from "./bill.ts";
import { UpstreamCall } from "./upstream-call.ts";

/** One attempt at an answer, in one piece or as a stream: one call of one target. */
export interface Attempt<Answer> {
  /** Sends the call. Rejects if its target fails, and when the call is aborted. */
  send(): Promise<Answer>;
  /** Counts what the target has sent. A target that does not increase it is silent. */
  readonly activity: number;
  /** True while the gateway itself does not read what the target sends. */
  readonly isPaused: boolean;
  /** What the target must send first, and within how many milliseconds. */
  readonly startLimit: "head" | "first frame";
  readonly startMs: number;
  /** True once the client has received a part of the answer, so that no other target may answer. */
  readonly isCommitted: boolean;
  /** True if the answer is read to its end for its usage when the client leaves. */
  readonly drainsUsage: boolean;
}

/** The answer of a target, or why there is none. */
export type Outcome<Answer> =
  | { readonly ending: "complete"; readonly answer: Answer }
  | { readonly ending: Exclude<Ending, "complete" | "refused">; readonly cause: unknown };

/**
 * Calls the targets of a request one after another until one answers, within the limits of each call and of all together, and
 * keeps their bill. When the client leaves, it ends the call or reads it on for its usage alone.
 */
export class TargetCalls<Answer, Made extends Attempt<Answer>> implements Watched, Abortable {
  position = -1;
  readonly bill: Bill;
  readonly #services: Services;
  readonly #paid: PaidCall;
  readonly #newAttempt: (call: UpstreamCall) => Made;
  readonly #attempts: Attempts;
  #call: UpstreamCall;
  #attempt: Made;
  #startMs = 0;
  // The ticker compares this count with that of the attempt, so that what arrives need not read the clock.
  #activity = 0;
  #activeAt = 0;
  #leftAt: number | undefined;
  #isDraining = false;
  #isOver = false;

  /** `output` is the output received so far. Throws `unsupported_parameter` when no target accepts the request. */
  constructor(services: Services, paid: PaidCall, output: Output, newAttempt: (call: UpstreamCall) => Made) {
    const now = steadyNow();
    this.#services = services;
    this.#paid = paid;
    this.#newAttempt = newAttempt;
    this.#attempts = new Attempts(services, targetsFor(paid.model, paid.call), new RequestPreference(paid), now);
    const { target } = this.#attempts;
    this.#call = new UpstreamCall(services, paid, target);
    this.#attempt = newAttempt(this.#call);
    this.#watch(now);
    this.bill = new Bill(services, paid, target, output, now);
    paid.slot.onAbort(this);
  }

  /** The attempt that runs now, or ran last. */
  get attempt(): Made {
    return this.#attempt;
  }

  /** How many attempts were made so far. */
  get count(): number {
    return this.#attempts.count;
  }

  get target(): ModelTarget {
    return this.#call.target;
  }

  /** True if the last target was called, and not only planned. */
  get wasSent(): boolean {
    return this.#call.wasSent;
  }

  /** True once nothing more is expected of the targets. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True if the answer is read only for its usage. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Calls the targets. Must be called once. Never rejects. */
  async run(): Promise<Outcome<Answer>> {
    for (let waitMs = 0; ; ) {
      try {
        if (waitMs > 0) await pause(this.#call, waitMs);
        this.#call.cancellation.throwIfAborted();
        this.#call.begin();
        const answer = await this.#attempt.send();
        this.#attempts.recordSuccess();
        this.#end();
        return { ending: "complete", answer };
      } catch (cause) {
        const next = this.#next(cause);
        if (next === undefined) {
          this.#end();
          return { ending: endingOf(cause), cause };
        }
        this.#begin(next);
        waitMs = next.waitMs;
      }
    }
  }

  /** Records that the client has received the first content of the current target. */
  markAnswered(): void {
    this.#attempts.recordFirstContent();
  }

  tick(now: number): void {
    if (this.#isOver) return;
    if (this.#paid.exchange.request.signal.aborted) this.leave();
    const exceeded = this.#exceededLimit(now);
    if (exceeded !== undefined) this.abort(exceeded);
    else if (this.#leftAt !== undefined && now - this.#leftAt >= this.#services.money.usageDrainMs)
      this.abort(clientGone());
  }

  /** The client has left. Its call ends, or goes on for its usage without counting against the concurrency of its key. Idempotent. */
  leave(): void {
    if (this.#isOver || this.#leftAt !== undefined) return;
    this.#leftAt = steadyNow();
    if (this.#call.wasSent && this.#attempt.drainsUsage && this.#services.usageDrains.begin()) {
      this.#isDraining = true;
      this.bill.leaveKey();
    } else this.abort(clientGone());
  }

  /** Ends the call that runs. Once the client has left, that is the reason, whatever else ends it. */
  abort(cause: GatewayError | ProviderError): void {
    if (!this.#isOver) this.#call.abort(this.#leftAt === undefined ? cause : clientGone());
  }

  #end(): void {
    this.#isOver = true;
    if (this.#isDraining) this.#services.usageDrains.end();
  }

  /** Records why an attempt failed. Returns the next one, if another may follow. */
  #next(cause: unknown): NextAttempt | undefined {
    const { exchange, slot } = this.#paid;
    const ending = endingOf(cause);
    if (this.#call.wasSent && ending !== "client_gone") this.#services.reportFailure(exchange, this.target, cause);
    if (ending !== "upstream_failed") this.#attempts.recordCancelled();
    else if (this.#attempt.isCommitted || this.#hasLeft || slot.aborted) this.#attempts.recordFailure(cause);
    else return this.#attempts.next(cause);
    return undefined;
  }

  get #hasLeft(): boolean {
    return this.#leftAt !== undefined || this.#paid.exchange.request.signal.aborted;
  }

  #begin({ target, waitMs }: NextAttempt): void {
    this.#call = new UpstreamCall(this.#services, this.#paid, target);
    this.#attempt = this.#newAttempt(this.#call);
    this.#watch(steadyNow() + waitMs);
    this.bill.moveTo(target, waitMs);
  }

  /** A call that has not begun to answer gets an equal share of the remaining time, so that later attempts have theirs. */
  #watch(startsAt: number): void {
    const { endsAt, othersLeft } = this.#attempts;
    const { startLimit, startMs } = this.#attempt;
    const shareMs = startLimit === "head" ? Math.round((endsAt - startsAt) / (othersLeft + 1)) : startMs;
    this.#startMs = Math.min(startMs, shareMs);
    this.#activity = 0;
    this.#activeAt = startsAt;
  }

  #exceededLimit(now: number): ProviderError | undefined {
    const { activity, isPaused, startLimit } = this.#attempt;
    const { totalMs, idleMs } = this.target.limits;
    if (isPaused || activity !== this.#activity) {
      this.#activity = activity;
      this.#activeAt = now;
    }
    const silentMs = now - this.#activeAt;
    if (now >= this.#attempts.endsAt) return outOfTime("total", totalMs);
    if (activity === 0 && silentMs >= this.#startMs) return outOfTime(startLimit, this.#startMs);
    return activity > 0 && silentMs >= idleMs ? outOfTime("idle", idleMs) : undefined;
  }
}

/** The gateway itself ends a call with one of two errors. Any other cause is a failure of the upstream. */
function endingOf(cause: unknown): "client_gone" | "drained" | "upstream_failed" {
  if (!GatewayError.is(cause)) return "upstream_failed";
  if (cause.code === "client_gone") return "client_gone";
  return cause.code === "draining" ? "drained" : "upstream_failed";
}

/** Waits before a call. Rejects when the call is aborted. */
function pause(call: UpstreamCall, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = wait(milliseconds, resolve);
    call.onAbort((cause) => {
      cancel();
      reject(cause);
    });
  });
}
