import { type Answer, jsonAnswer } from "../edge/answer.ts";
import { clientGone, draining } from "../errors/ended-early.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { upstreamError } from "../errors/upstream-error.ts";
import { Bill } from "../money/bill.ts";
import { CallDeadline } from "../routing/call-deadline.ts";
import { UpstreamCall } from "../routing/upstream-call.ts";
import type { Services } from "../services.ts";
import { type Mended, mendCompletion } from "../wire/mend-completion.ts";
import { outputBytes } from "../wire/output-text.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Held } from "./hold-balance.ts";
import { requireClient } from "./require-client.ts";

/** Check 11 for an answer in one piece: calls the provider, mends and checks what it gives, and settles it. */
export async function answerJson(services: Services, held: Held): Promise<Answer> {
  const [target] = held.model.targets;
  const bill = new Bill(services, held, target, () => 0);
  await requireClient(held, bill);
  const call = new UpstreamCall(services, held, target);
  const deadline = new CallDeadline(services, held.request.signal, call);
  held.run.onAbort(() => call.abort(draining()));
  try {
    const mended = mendCompletion(await target.provider.complete(call), {
      model: held.model.id,
      id: `chatcmpl-${held.requestId}`,
      created: Math.floor(held.startedAt / 1000),
    });
    if (mended === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
    const { completion, outputBytes } = mended;
    const ending = held.request.signal.aborted ? "client_gone" : "complete";
    const usage = await bill.close({ by: "usage", usage: mended.usage, outputBytes }, ending);
    return jsonAnswer(200, answerHeaders(held), { ...completion, usage });
  } catch (error) {
    const gone = held.request.signal.aborted;
    await bill.close(
      gone ? { by: "estimate", outputBytes: nothing } : { by: "nothing" },
      gone ? "client_gone" : "upstream_failed",
    );
    throw gone ? clientGone() : upstreamError(error);
  } finally {
    deadline.end();
  }
}

const nothing = (): number => 0;

const countOutput = ({ completion }: Mended): number =>
  completion.choices.reduce((sum, { message }) => sum + outputBytes(message), 0);
