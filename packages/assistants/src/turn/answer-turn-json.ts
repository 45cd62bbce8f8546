import { complete } from "../../answering/json/complete.ts";
import { chatApi } from "../../dialects/chat/chat-api.ts";
import { clientGone } from "../../errors/ended-early.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { type FinishedTurn, runRounds } from "./run-rounds.ts";
import { turnIdentity } from "./turn-identity.ts";

/** Runs a turn and returns its final completion. */
export async function answerTurnJson(services: AssistantServices, turn: ActiveTurn): Promise<GatewayResponse> {
  const { exchange } = turn.admission;
  try {
    // After the client has left, a call may still run so that it can be billed. The session does not wait for it.
    const finished = await runRounds(services, turn, (paid) =>
      whileClientWaits(
        exchange.request,
        complete(services, paid, chatApi).then(({ read }) => read.completion),
      ),
    );
    // A reply that nobody reads is not stored, so the client can send the message again.
    if (exchange.request.signal.aborted) throw clientGone();
    await turn.lease.commit(finished.record);
    return jsonResponse(200, exchange.headers, toCompletion(turn, finished));
  } catch (error) {
    // Before the error response, so that the client can retry at once, and before the slot is released, for which a drain waits.
    await turn.lease.abandon();
    throw error;
  } finally {
    turn.admission.slot.release();
  }
}

/** Settles as `pending` does, or rejects as soon as the client leaves. */
function whileClientWaits<T>({ signal }: ClientRequest, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(clientGone());
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function toCompletion(turn: ActiveTurn, { reply, usage }: FinishedTurn) {
  const { id, created, model } = turnIdentity(turn);
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message: reply.message, finish_reason: reply.finishReason }],
    usage,
    system_fingerprint: null,
  };
}
