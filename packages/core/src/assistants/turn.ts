import type { GatewayResponse } from "../ports/gateway-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { admit } from "../steps/admit.ts";
import { readBody } from "../steps/read-body.ts";
import type { AssistantServices } from "./config/assistant-services.ts";
import { answerTurnJson } from "./turn/answer-turn-json.ts";
import { answerTurnStream } from "./turn/answer-turn-stream.ts";
import { type Begun, beginTurn } from "./turn/begin-turn.ts";
import { readMessage } from "./turn/read-message.ts";

/**
 * POST /session/{id}/messages, from message to answer. The turn counts as one request; each call of the model in it goes
 * through the middle of the chat completion's path and is held and settled by itself.
 */
export async function turn(
  services: AssistantServices,
  context: RequestContext,
  sessionId: string,
): Promise<GatewayResponse> {
  const admitted = await admit(services, context);
  let begun: Begun;
  try {
    const asked = await readMessage(await readBody(services, admitted));
    begun = await beginTurn(services, asked, sessionId);
  } catch (error) {
    admitted.run.end();
    throw error;
  }
  // From here on the answer gives the session and the run back when it ends, which may be after it has gone out.
  return await (begun.asked.stream ? answerTurnStream(services, begun) : answerTurnJson(services, begun));
}
