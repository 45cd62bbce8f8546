import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { requireClient } from "../../answering/call/require-client.ts";
import { CompletionStream } from "../../answering/stream/completion-stream.ts";
import { type GatewayResponse, streamHeaders } from "../../ports/gateway-response.ts";
import type { Held } from "../../request/request-stages.ts";
import type { StreamServices } from "../../request/services.ts";

/** Answers with a stream, once its first content has come or after `responseStartTimeoutMs`. Throws the error of a failure before that. */
export async function answerStream(services: StreamServices, held: Held): Promise<GatewayResponse> {
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
