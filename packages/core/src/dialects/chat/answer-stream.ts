import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { requireClient } from "../../answering/call/require-client.ts";
import { CompletionStream } from "../../answering/stream/completion-stream.ts";
import { type Answer, streamHeaders } from "../../ports/answer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";

/** Answers with a stream, once its first content has come or after `commitMs`. Throws the error of a failure before that. */
export async function answerStream(services: Services, held: Held): Promise<Answer> {
  requireClient(services, held);
  const stream = new CompletionStream(services, held);
  try {
    await stream.body.started;
  } catch (error) {
    // The answer that is sent instead carries them too.
    answerHeaders(held, stream.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(held, stream.attempts), ...streamHeaders }, body: stream.body };
}
