import { complete } from "../../answering/json/complete.ts";
import { clientGone } from "../../errors/ended-early.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Begun } from "./begin-turn.ts";
import { type Finished, runRounds } from "./run-rounds.ts";
import { turnIdentity } from "./turn-identity.ts";

/** Runs a turn and answers with its final completion. */
export async function answerTurnJson(services: AssistantServices, begun: Begun): Promise<GatewayResponse> {
  try {
    // A call whose client has gone may be waited for to be billed, which is no reason to keep the session.
    const finished = await runRounds(services, begun, (held) =>
      whileClientWaits(
        begun.request,
        complete(services, held).then(({ read }) => read.completion),
      ),
    );
    // Nobody would read the answer, so the message is to be sent again.
    if (begun.request.signal.aborted) throw clientGone();
    await begun.lease.keep(finished.record);
    return jsonResponse(200, begun.meta.headers, toCompletion(begun, finished));
  } catch (error) {
    // Before the answer, so that the message can be sent again at once, and before the run is over for a drain.
    await begun.lease.abandon();
    throw error;
  } finally {
    begun.run.end();
  }
}

/** What comes of a promise, or a rejection as soon as the client leaves. */
function whileClientWaits<T>({ signal }: ClientRequest, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(clientGone());
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function toCompletion(begun: Begun, { reply, usage }: Finished) {
  const { id, created, model } = turnIdentity(begun);
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
