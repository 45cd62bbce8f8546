import { type Answer, jsonAnswer } from "../edge/answer.ts";
import { clientGone, draining } from "../errors/ended-early.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { upstreamError } from "../errors/upstream-error.ts";
import { Bill } from "../money/bill.ts";
import { noOutput, type Output } from "../money/token-counter.ts";
import { CallDeadline } from "../routing/call-deadline.ts";
import { UpstreamCall } from "../routing/upstream-call.ts";
import type { Services } from "../services.ts";
import { type Mended, type MendedChoice, type MendedCompletion, mendCompletion } from "../wire/mend-completion.ts";
import { outputBytes, outputText } from "../wire/output-text.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Held } from "./hold-balance.ts";
import { requireClient } from "./require-client.ts";

/** Check 11 for an answer in one piece. */
export function answerJson(services: Services, held: Held): Promise<Answer> {
  return complete(services, held).then((completion) => jsonAnswer(200, answerHeaders(held), completion));
}

/** Calls the provider, mends and checks what it gives, and settles it. */
export async function complete(services: Services, held: Held): Promise<MendedCompletion> {
  requireClient(services, held);
  const [target] = held.model.targets;
  const bill = new Bill(services, held, target, noOutput);
  const call = new UpstreamCall(services, held, target);
  const deadline = new CallDeadline(services, held.request.signal, call);
  held.run.onAbort(() => call.abort(draining()));
  try {
    const mended = mend(held, await target.provider.complete(call));
    const ending = held.request.signal.aborted ? "client_gone" : "complete";
    mended.completion["usage"] = await bill.close(
      { by: "usage", usage: mended.usage, output: new CompletionOutput(mended) },
      ending,
    );
    return mended.completion;
  } catch (error) {
    services.reportFailure(held, target, error);
    const clientHasGone = held.request.signal.aborted;
    // An upstream that failed by itself did no work; one that was cut off did.
    const owesPrompt = clientHasGone && call.cancellation.aborted;
    const ending = clientHasGone ? "client_gone" : held.run.aborted ? "drained" : "upstream_failed";
    await bill.close(owesPrompt ? { by: "estimate", output: noOutput } : { by: "nothing" }, ending);
    throw clientHasGone ? clientGone() : upstreamError(error);
  } finally {
    deadline.end();
  }
}

function mend(held: Held, completion: unknown): Mended {
  const created = Math.floor(held.startedAt / 1000);
  const mended = mendCompletion(completion, { model: held.model.id, id: `chatcmpl-${held.requestId}`, created });
  if (mended === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  return mended;
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
