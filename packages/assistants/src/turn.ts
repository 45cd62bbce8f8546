import type { GatewayResponse } from "../ports/gateway-response.ts";
import type { Exchange } from "../request/exchange.ts";
import { admit, guard } from "../steps/admit.ts";
import { readBody } from "../steps/read-body.ts";
import type { AssistantServices } from "./config/assistant-services.ts";
import { answerTurnJson } from "./turn/answer-turn-json.ts";
import { answerTurnStream } from "./turn/answer-turn-stream.ts";
import { beginTurn } from "./turn/begin-turn.ts";
import { readMessage } from "./turn/read-message.ts";

/**
 * POST /session/{id}/messages. A turn counts as one request. Each model call in it runs the checks of a chat completion,
 * and has a balance hold and a settlement of its own. The dialects of key and plan do not limit turns: a chat completion is
 * only the form in which a turn asks its model.
 */
export async function runTurn(
  services: AssistantServices,
  exchange: Exchange,
  sessionId: string,
): Promise<GatewayResponse> {
  const admission = await admit(services, exchange);
  const turn = await guard(services, admission, async () => {
    const message = await readMessage(await readBody(services, admission));
    return await beginTurn(services, admission, message, sessionId);
  });
  // From here on the response ends the lease and the slot, which may be after its headers were sent.
  return await (turn.message.stream ? answerTurnStream(services, turn) : answerTurnJson(services, turn));
}
