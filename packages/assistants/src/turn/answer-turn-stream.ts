import { type GatewayResponse, streamHeaders } from "../../ports/gateway-response.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { TurnStream } from "./turn-stream.ts";

/** Runs a turn and streams the content of every round. An error before the first content rejects, so that it becomes an HTTP error status. */
export async function answerTurnStream(services: AssistantServices, turn: ActiveTurn): Promise<GatewayResponse> {
  const stream = new TurnStream(services, turn);
  await stream.body.started;
  return { status: 200, headers: { ...turn.admission.exchange.headers, ...streamHeaders }, body: stream.body };
}
