import type { AdmittedRequest, GatewayResponse, ModelCalls, OwnAnswer } from "@tollgate/core/extension";
import type { AssistantServices } from "./config/assistant-services.ts";
import { type ActiveTurn, beginTurn } from "./turn/begin-turn.ts";
import { readMessage } from "./turn/read-message.ts";
import { runRounds } from "./turn/run-rounds.ts";

/**
 * POST /session/{id}/messages. A turn counts as one request. Each model call in it runs the checks of a chat completion,
 * and has a balance hold and a settlement of its own. The dialects of key and plan do not limit turns: a chat completion is
 * only the form in which a turn asks its model.
 */
export async function runTurn(
  services: AssistantServices,
  request: AdmittedRequest,
  sessionId: string,
): Promise<GatewayResponse> {
  const message = await readMessage(await request.readBody());
  const turn = await beginTurn(services, request, message, sessionId);
  const { model } = turn.assistant;
  return await request.complete({ model, stream: message.stream }, (calls) => answer(services, turn, calls));
}

/** Runs the rounds of a turn and stores them. Nothing is stored of a turn that fails, so that the client can send its message again. */
async function answer(services: AssistantServices, turn: ActiveTurn, calls: ModelCalls): Promise<OwnAnswer> {
  try {
    const { reply, record } = await runRounds(services, turn, calls);
    calls.requireClient();
    await turn.lease.commit(record);
    return reply;
  } catch (error) {
    // Before the client has the error, so that it can retry at once, and before the slot is released, for which a drain waits.
    await turn.lease.abandon();
    throw error;
  }
}
