import { requireClient } from "../../answering/call/bill.ts";
import { CompletionStream } from "../../answering/stream/completion-stream.ts";
import { type GatewayResponse, streamHeaders } from "../../ports/gateway-response.ts";
import { answerHeaders, type Held } from "../../request/request-stages.ts";
import type { ContentServices, StreamServices } from "../../request/services.ts";
import { logStream } from "../../steps/log-content.ts";

/** Check 11 with streaming: resolves with the first content, or after `responseStartTimeoutMs`. Rejects with an error before that, which becomes an HTTP error status. */
export async function answerStream(services: StreamServices & ContentServices, held: Held): Promise<GatewayResponse> {
  requireClient(services, held);
  const stream = new CompletionStream(services, held);
  const body = services.content === undefined ? stream.body : logStream(services.content, held, stream.body);
  try {
    await stream.body.started;
  } catch (error) {
    // The error response has these headers too.
    answerHeaders(held, stream.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(held, stream.attempts), ...streamHeaders }, body };
}
