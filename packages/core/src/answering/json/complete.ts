import { clientGone } from "../../errors/ended-early.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { Attempts } from "../../routing/attempts.ts";
import { targetsFor } from "../../routing/targets-for.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../../runtime/awaitable.ts";
import type { Usage } from "../../wire/usage.ts";
import { answerHeaders } from "../call/answer-headers.ts";
import { Bill } from "../call/bill.ts";
import { hidesReasoning } from "../call/hidden-reasoning.ts";
import { requireClient } from "../call/require-client.ts";
import type { UpstreamCall } from "../call/upstream-call.ts";
import { FailoverCall, type Question } from "./failover-call.ts";
import { CompletionOutput, type ReadCompletion, readCompletion } from "./read-completion.ts";

/** A completion for the client, and how many attempts it took. */
export interface Completed {
  /** Its completion has the usage that was charged. */
  readonly read: ReadCompletion;
  /** The same as JSON, and its length in UTF-8 where it is known. */
  readonly json: string;
  readonly jsonBytes: number | undefined;
  readonly attempts: number;
}

/** Calls the providers, one after another until one answers, normalizes and checks what it gives, settles it, and makes something of it. */
export function complete<T>(services: Services, held: Held, make: (completed: Completed) => T): Promise<T> {
  requireClient(services, held);
  const now = Date.now();
  const attempts = new Attempts(services, targetsFor(held.model, held.content.chat), now);
  const bill = new Bill(services, held, attempts.target, noOutput, now);
  const question = new CompletionQuestion(held, bill, attempts, make);
  return new FailoverCall(services, held, bill, attempts, question).answer();
}

/** Asks for a completion, and closes the bill when it is there or cannot be had. */
class CompletionQuestion<T> implements Question<ProviderAnswer, ReadCompletion, T> {
  readonly #held: Held;
  readonly #bill: Bill;
  readonly #attempts: Attempts;
  readonly #make: (completed: Completed) => T;

  constructor(held: Held, bill: Bill, attempts: Attempts, make: (completed: Completed) => T) {
    this.#held = held;
    this.#bill = bill;
    this.#attempts = attempts;
    this.#make = make;
  }

  ask(call: UpstreamCall): Promise<ProviderAnswer> {
    return call.target.provider.complete(call);
  }

  read(given: ProviderAnswer, call: UpstreamCall): ReadCompletion {
    return readCompletion(this.#held, call.target, given);
  }

  finish(read: ReadCompletion): Awaitable<T> {
    const settled = catchAwaitable(
      () => this.#settle(read),
      (cause) => this.fail(cause, false),
    );
    return mapAwaitable(settled, this.#make);
  }

  async fail(cause: unknown, wasCutOff: boolean): Promise<never> {
    // What is answered in its place carries them too.
    answerHeaders(this.#held, this.#attempts.count);
    const clientHasGone = this.#held.request.signal.aborted;
    // An upstream that failed by itself did no work; one that was cut off did.
    const owesPrompt = clientHasGone && wasCutOff;
    const ending = clientHasGone ? "client_gone" : this.#held.run.aborted ? "drained" : "upstream_failed";
    const by = hidesReasoning(this.#held) ? "output-and-time" : "estimate";
    await this.#bill.close(owesPrompt ? { by, output: noOutput } : { by: "nothing" }, ending);
    throw clientHasGone ? clientGone() : upstreamError(cause);
  }

  #settle(read: ReadCompletion): Awaitable<Completed> {
    const ending = this.#held.request.signal.aborted ? "client_gone" : "complete";
    const output = new CompletionOutput(read);
    const attempts = this.#attempts.count;
    return mapAwaitable(this.#bill.close({ by: "usage", usage: read.usage, output }, ending), (usage) => {
      if (usage === read.usage) return { read, json: read.json, jsonBytes: read.jsonBytes, attempts };
      return { read, json: withUsage(read, usage), jsonBytes: undefined, attempts };
    });
  }
}

function withUsage({ completion }: ReadCompletion, usage: Usage): string {
  completion.usage = usage;
  return JSON.stringify(completion);
}
