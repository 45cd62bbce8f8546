import { type Answer, writtenAnswer } from "../edge/answer.ts";
import { clientGone } from "../errors/ended-early.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { upstreamError } from "../errors/upstream-error.ts";
import { Bill } from "../money/bill.ts";
import { noOutput, type Output } from "../money/token-counter.ts";
import { Attempts } from "../routing/attempts.ts";
import { TargetCalls } from "../routing/target-calls.ts";
import { targetsFor } from "../routing/targets-for.ts";
import type { Services } from "../services.ts";
import { type Mended, type MendedChoice, type MendedCompletion, mendCompletion } from "../wire/mend-completion.ts";
import { outputBytes, outputText } from "../wire/output-text.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Held } from "./hold-balance.ts";
import { requireClient } from "./require-client.ts";

/** A completion for the client, and how many attempts it took. */
export interface Completed {
  readonly completion: MendedCompletion;
  /** The completion as JSON. */
  readonly json: string;
  readonly attempts: number;
}

/** Check 11 for an answer in one piece. */
export async function answerJson(services: Services, held: Held): Promise<Answer> {
  const { json, attempts } = await complete(services, held);
  return writtenAnswer(200, answerHeaders(held, attempts), json);
}

/** Calls the providers, one after another until one answers, mends and checks what it gives, and settles it. */
export async function complete(services: Services, held: Held): Promise<Completed> {
  requireClient(services, held);
  const attempts = new Attempts(services, targetsFor(held.model, held.chat));
  const bill = new Bill(services, held, attempts.target, noOutput);
  const calls = new TargetCalls(services, held, bill, attempts);
  try {
    const { mended, json } = await calls.ask(
      (call) => call.target.provider.complete(call),
      (given) => write(mend(held, given)),
    );
    const ending = held.request.signal.aborted ? "client_gone" : "complete";
    const closed = bill.close({ by: "usage", usage: mended.usage, output: new CompletionOutput(mended) }, ending);
    const usage = closed instanceof Promise ? await closed : closed;
    const { completion } = mended;
    completion.usage = usage;
    return {
      completion,
      json: usage === mended.usage ? json : JSON.stringify(completion),
      attempts: attempts.count,
    };
  } catch (error) {
    // What is answered in its place carries them too.
    answerHeaders(held, attempts.count);
    const clientHasGone = held.request.signal.aborted;
    // An upstream that failed by itself did no work; one that was cut off did.
    const owesPrompt = clientHasGone && calls.wasCutOff;
    const ending = clientHasGone ? "client_gone" : held.run.aborted ? "drained" : "upstream_failed";
    await bill.close(owesPrompt ? { by: "estimate", output: noOutput } : { by: "nothing" }, ending);
    throw clientHasGone ? clientGone() : upstreamError(error);
  }
}

function mend(held: Held, completion: unknown): Mended {
  const created = Math.floor(held.startedAt / 1000);
  const mended = mendCompletion(completion, { model: held.model.id, id: `chatcmpl-${held.requestId}`, created });
  if (mended === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  return mended;
}

/** Before it is paid for: JSON.stringify gives up on what is nested too deeply, and on what no provider should give. */
function write(mended: Mended): { readonly mended: Mended; readonly json: string } {
  try {
    return { mended, json: JSON.stringify(mended.completion) };
  } catch (cause) {
    throw new ProviderError("invalid_response", "The answer cannot be passed on as JSON.", { cause });
  }
}

class CompletionOutput implements Output {
  readonly #choices: readonly MendedChoice[];

  constructor({ completion }: Mended) {
    this.#choices = completion.choices;
  }

  get outputBytes(): number {
    return this.#choices.reduce((sum, { message }) => sum + outputBytes(message), 0);
  }

  outputText(): string {
    return this.#choices.map(({ message }) => outputText(message)).join("\n");
  }
}
