import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { requireClient } from "../../answering/call/require-client.ts";
import { StreamSession } from "../../answering/stream/stream-session.ts";
import { type GatewayResponse, streamHeaders } from "../../ports/gateway-response.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";

/** Check 11 with streaming: resolves when the first content arrives, or after `responseStartTimeoutMs`. An error before that rejects, so that it becomes an HTTP error status. */
export async function answerStream(services: Services, held: Held): Promise<GatewayResponse> {
  requireClient(services, held);
  const session = new StreamSession(services, held);
  try {
    await session.committed;
  } catch (error) {
    // The error response has these headers too.
    answerHeaders(held, session.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(held, session.attempts), ...streamHeaders }, body: session };
}
