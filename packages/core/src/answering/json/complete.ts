import { clientGone, upstreamError } from "../../errors/call-errors.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { NativeAnswer } from "../../ports/provider-adapter.ts";
import { answerHeaders, type PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { type Consumption, requireClient } from "../call/bill.ts";
import { hasHiddenReasoning } from "../call/hidden-reasoning.ts";
import { type Attempt, TargetCalls } from "../call/target-calls.ts";
import type { UpstreamCall } from "../call/upstream-call.ts";
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
  const { signal } = paid.exchange.request;
  const newAttempt = (call: UpstreamCall) => new JsonAttempt(paid, codec, call);
  const calls = new TargetCalls<Read, JsonAttempt<Read>>(services, paid, noOutput, newAttempt);
  services.ticker.add(calls);
  const outcome = await calls.run();
  services.ticker.delete(calls);
  if (outcome.ending === "complete") {
    const read = outcome.answer;
    const ending = signal.aborted ? "client_gone" : "complete";
    const usage = await calls.bill.close({ by: "usage", usage: read.usage, output: read.output }, ending, read);
    const json = usage === read.usage ? read.json : read.withUsage(usage);
    return { json, read, attempts: calls.count };
  }
  // The error response has these headers too.
  answerHeaders(paid, calls.count);
  const wasCutOff = calls.wasSent && outcome.ending !== "upstream_failed";
  const ending = signal.aborted ? "client_gone" : outcome.ending;
  await calls.bill.close(signal.aborted && wasCutOff ? unseenAnswer(paid) : { by: "nothing" }, ending);
  throw signal.aborted ? clientGone() : upstreamError(outcome.cause);
}

/** A call that was aborted because the client left is charged, since the upstream worked on it. */
const unseenAnswer = (paid: PaidCall): Consumption => ({
  by: hasHiddenReasoning(paid, noOutput) ? "output-and-time" : "estimate",
  output: noOutput,
});

/** One attempt at an answer in one piece, in the dialect of the client if the target speaks it. */
export class JsonAttempt<Read extends ReadAnswer> implements Attempt<Read> {
  readonly #paid: PaidCall;
  readonly #codec: AnswerCodec<Read>;
  readonly #call: UpstreamCall;

  constructor(paid: PaidCall, codec: AnswerCodec<Read>, call: UpstreamCall) {
    this.#paid = paid;
    this.#codec = codec;
    this.#call = call;
  }

  get isPaused(): boolean {
    return false;
  }

  get isCommitted(): boolean {
    return false;
  }

  /** The upstream bills the whole answer even if the client disconnects. */
  get drainsUsage(): boolean {
    return true;
  }

  get startLimit(): "head" {
    return "head";
  }

  get startMs(): number {
    return this.#call.target.limits.headMs;
  }

  get activity(): number {
    return this.#call.activity;
  }

  /** Rejects when the call is aborted, since an adapter may ignore the signal. */
  send(): Promise<Read> {
    return new Promise((resolve, reject) => {
      this.#call.onAbort(reject);
      void this.#answer(resolve, reject);
    });
  }

  async #answer(resolve: (read: Awaitable<Read>) => void, reject: (cause: unknown) => void): Promise<void> {
    const call = this.#call;
    const { target, nativeMethod } = call;
    const { translated, native } = this.#codec;
    try {
      resolve(
        nativeMethod === undefined || native === undefined
          ? translated.read(this.#paid, target, await target.provider.complete(call))
          : native.read(this.#paid, target, requireJson(await nativeMethod(call))),
      );
    } catch (cause) {
      reject(cause);
    }
  }
}

/** Returns an answer in one piece. Throws for a stream, which was not requested. */
function requireJson(answer: NativeAnswer): NativeJson {
  if (answer.kind === "json") return answer;
  answer.bytes.cancel();
  throw new ProviderError("invalid_response", "The provider answered with a stream, although none was requested.");
}
