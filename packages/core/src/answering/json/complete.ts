import { clientGone, draining, outOfTime } from "../../errors/ended-early.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ClientSignal } from "../../ports/client-request.ts";
import type { Ending } from "../../ports/observer.ts";
import type { NativeAnswer } from "../../ports/provider-adapter.ts";
import { RequestPreference } from "../../request/conversation.ts";
import { answerHeaders, type PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { Attempts, targetsFor } from "../../routing/attempts.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import { wait } from "../../runtime/timers.ts";
import { Bill, type Consumption, requireClient } from "../call/bill.ts";
import { hidesReasoning } from "../call/hidden-reasoning.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import type { ModelApi, NativeJson, ReadAnswer } from "../model-api.ts";

/** The part of a codec that reads answers. */
type AnswerCodec<Read extends ReadAnswer> = Pick<ModelApi<Read>, "translated" | "native">;

/** An answer for the client, and how many attempts it took. */
export interface Completed<Read extends ReadAnswer> {
  readonly read: Read;
  /** The answer as JSON with the usage that was charged. */
  readonly json: ReadAnswer["json"];
  readonly attempts: number;
}

/**
 * Calls the targets of a request one after another until one answers, and charges for the answer. Throws the
 * GatewayError of the last failure when none answers, or when the client has gone.
 */
export async function complete<Read extends ReadAnswer>(
  services: Services,
  paid: PaidCall,
  codec: AnswerCodec<Read>,
): Promise<Completed<Read>> {
  requireClient(services, paid);
  const now = Date.now();
  const attempts = new Attempts(services, targetsFor(paid.model, paid.call), () => new RequestPreference(paid), now);
  const bill = new Bill(services, paid, attempts.target, noOutput, now);
  const deadline = new CallDeadline(services, paid, bill, attempts);
  try {
    const read = await firstAnswer(services, paid, codec, { bill, attempts, deadline });
    deadline.end();
    const ending = paid.exchange.request.signal.aborted ? "client_gone" : "complete";
    const usage = await bill.close({ by: "usage", usage: read.usage, output: read.output }, ending, read);
    const json = usage === read.usage ? read.json : read.withUsage(usage);
    return { json, read, attempts: attempts.count };
  } catch (cause) {
    deadline.end();
    // The error response has these headers too.
    answerHeaders(paid, attempts.count);
    await bill.close(consumptionAfterFailure(paid, deadline.wasCutOff), endingOf(paid));
    throw paid.exchange.request.signal.aborted ? clientGone() : upstreamError(cause);
  }
}

/** An upstream that failed is not charged. A call that was aborted because the client left is, since the upstream worked on it. */
function consumptionAfterFailure(paid: PaidCall, wasCutOff: boolean): Consumption {
  if (!paid.exchange.request.signal.aborted || !wasCutOff) return { by: "nothing" };
  return { by: hidesReasoning(paid, noOutput) ? "output-and-time" : "estimate", output: noOutput };
}

function endingOf({ exchange, slot }: PaidCall): Ending {
  if (exchange.request.signal.aborted) return "client_gone";
  return slot.aborted ? "drained" : "upstream_failed";
}

/** The objects that track the attempts at one answer. */
interface Tracking {
  readonly bill: Bill;
  readonly attempts: Attempts;
  readonly deadline: CallDeadline;
}

/** Calls each target in the dialect of the client if it speaks it, and returns the first readable answer. Throws the cause of the last failure when all attempts have failed. */
export async function firstAnswer<Read extends ReadAnswer>(
  services: Services,
  paid: PaidCall,
  codec: AnswerCodec<Read>,
  { bill, attempts, deadline }: Tracking,
): Promise<Read> {
  for (let waitMs = 0; ; ) {
    const call = new UpstreamCall(services, paid, attempts.target);
    deadline.watch(call, Date.now() + waitMs);
    if (waitMs > 0) await pause(call, paid.exchange.request.signal, waitMs);
    // A pause ends early when the request ends.
    requireActive(paid, attempts);
    call.begin();
    try {
      const { target, nativeMethod } = call;
      const read =
        nativeMethod === undefined || codec.native === undefined
          ? await codec.translated.read(paid, target, await answerOf(call, () => target.provider.complete(call)))
          : await codec.native.read(paid, target, requireJson(await answerOf(call, () => nativeMethod(call))));
      attempts.succeed();
      return read;
    } catch (cause) {
      services.reportFailure(paid.exchange, call.target, cause);
      if (hasEnded(paid)) {
        attempts.leave();
        throw cause;
      }
      const next = attempts.next(cause);
      if (next === undefined) throw cause;
      bill.moveTo(next.target, next.waitMs);
      waitMs = next.waitMs;
    }
  }
}

/** Returns an answer in one piece. Throws for a stream, which was not requested. */
function requireJson(answer: NativeAnswer): NativeJson {
  if (answer.kind === "json") return answer;
  answer.bytes.cancel();
  throw new ProviderError("invalid_response", "The provider answered with a stream, although none was requested.");
}

/** Resolves with the answer of a target. Rejects when its call is aborted, since an adapter may ignore the signal. */
function answerOf<Answer>(call: UpstreamCall, send: () => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call.onAbort(reject);
    // An adapter without types may throw at once, or return another thenable.
    Promise.resolve(send()).then(resolve, reject);
  });
}

const hasEnded = ({ exchange, slot }: PaidCall): boolean => exchange.request.signal.aborted || slot.aborted;

/** Throws if the request has ended, and reports the planned attempt as abandoned. */
function requireActive(paid: PaidCall, attempts: Attempts): void {
  if (!hasEnded(paid)) return;
  attempts.leave();
  throw paid.slot.aborted ? draining() : clientGone();
}

/** Waits before an attempt. Ends early when the client leaves or the call is aborted. */
function pause(call: UpstreamCall, signal: ClientSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = wait(milliseconds, end);
    signal.addEventListener("abort", end);
    call.onAbort(end);
  });
}

/** The time limit that all attempts at an answer share, and how many attempts remain. */
interface SharedLimit {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly othersLeft: number;
}

/**
 * Aborts the calls for a JSON answer when they exceed the limits of a single call or of all calls together. The upstream
 * bills the whole answer even if the client disconnects. The gateway therefore waits for the usage, without counting
 * the request against the key's concurrency.
 */
export class CallDeadline implements Watched {
  position = -1;
  readonly #services: Services;
  readonly #paid: PaidCall;
  readonly #bill: Bill;
  readonly #attempts: SharedLimit;
  #call: UpstreamCall | undefined;
  #headMs = 0;
  #headEndsAt = 0;
  #signs = 0;
  #signsAt = 0;
  #goneAt: number | undefined;
  #readsOn = false;

  constructor(services: Services, paid: PaidCall, bill: Bill, attempts: SharedLimit) {
    this.#services = services;
    this.#paid = paid;
    this.#bill = bill;
    this.#attempts = attempts;
    services.ticker.add(this);
    paid.slot.onAbort(() => this.#call?.abort(draining()));
  }

  /** True if the last call was aborted before its target had answered. */
  get wasCutOff(): boolean {
    return this.#call?.cancellation.aborted ?? false;
  }

  /** Watches a call that starts at `startsAt`, in milliseconds since the Unix epoch. A call without response headers gets an equal share of the remaining time, so that later attempts have theirs. */
  watch(call: UpstreamCall, startsAt: number): void {
    const { endsAt, othersLeft } = this.#attempts;
    const { headMs } = call.target.limits;
    this.#call = call;
    this.#headMs = othersLeft === 0 ? headMs : Math.min(headMs, Math.ceil((endsAt - startsAt) / (othersLeft + 1)));
    this.#headEndsAt = startsAt + this.#headMs;
    this.#signs = 0;
  }

  tick(now: number): void {
    const call = this.#call;
    if (call === undefined) return;
    if (now >= this.#attempts.endsAt) call.abort(outOfTime("total", call.target.limits.totalMs));
    else this.#checkProgress(call, now);
    if (!this.#paid.exchange.request.signal.aborted) return;
    this.#goneAt ??= this.#leave(now);
    if (!this.#readsOn || now - this.#goneAt >= this.#services.money.readOnMs) call.abort(clientGone());
  }

  /** Stops watching. Idempotent. */
  end(): void {
    this.#services.ticker.delete(this);
    if (this.#readsOn) this.#services.readingOn.end();
    this.#readsOn = false;
  }

  #leave(now: number): number {
    this.#bill.leaveKey();
    this.#readsOn = this.#services.readingOn.begin();
    return now;
  }

  #checkProgress(call: UpstreamCall, now: number): void {
    const { signs } = call;
    if (signs !== this.#signs) {
      this.#signs = signs;
      this.#signsAt = now;
    }
    const { idleMs } = call.target.limits;
    if (signs === 0 && now >= this.#headEndsAt) call.abort(outOfTime("head", this.#headMs));
    else if (signs > 0 && now - this.#signsAt >= idleMs) call.abort(outOfTime("idle", idleMs));
  }
}
