import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { requireClient } from "../../answering/call/require-client.ts";
import { StreamSession } from "../../answering/stream/stream-session.ts";
import { type Answer, streamHeaders } from "../../ports/answer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";

/** Check 11 for a stream: answers when the first content has come, or after 10 s; a failure before that is a real status. */
export async function answerStream(services: Services, held: Held): Promise<Answer> {
  requireClient(services, held);
  const session = new StreamSession(services, held);
  try {
    await session.committed;
  } catch (error) {
    // What is answered in its place carries them too.
    answerHeaders(held, session.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(held, session.attempts), ...streamHeaders }, body: session };
}
