import type { GatewayResponse } from "../ports/gateway-response.ts";
import type { RequestContext } from "../request/request-stages.ts";
import { admit } from "../steps/admit.ts";
import { readBody } from "../steps/read-body.ts";
import type { AssistantServices } from "./config/assistant-services.ts";
import { answerTurnJson } from "./turn/answer-turn-json.ts";
import { answerTurnStream } from "./turn/answer-turn-stream.ts";
import { type ActiveTurn, beginTurn } from "./turn/begin-turn.ts";
import { readMessage } from "./turn/read-message.ts";

/**
 * POST /session/{id}/messages. A turn counts as one request. Each model call in it runs the checks of a chat completion,
 * and has a balance hold and a settlement of its own. The dialects of key and plan do not limit turns: a chat completion is
 * only the form in which a turn asks its model.
 */
export async function runTurn(
  services: AssistantServices,
  context: RequestContext,
  sessionId: string,
): Promise<GatewayResponse> {
  const admitted = await admit(services, context);
  let turn: ActiveTurn;
  try {
    const request = await readMessage(await readBody(services, admitted));
    turn = await beginTurn(services, request, sessionId);
  } catch (error) {
    admitted.run.end();
    throw error;
  }
  // From here on the response ends the lease and the run, which may be after its headers were sent.
  return await (turn.stream ? answerTurnStream(services, turn) : answerTurnJson(services, turn));
}
