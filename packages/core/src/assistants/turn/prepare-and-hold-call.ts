import { chatCodec } from "../../dialects/chat/chat-codec.ts";
import { sumCalls } from "../../observing/sum-calls.ts";
import type { Held, WithBody } from "../../request/request-stages.ts";
import { prepareAndHold } from "../../steps/prepare-and-hold.ts";
import { releaseAdmission } from "../../steps/release-admission.ts";
import { encodeUtf8 } from "../../wire/bytes.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest, type TriggerUse } from "../config/model-request.ts";
import type { ActiveTurn } from "./begin-turn.ts";

/** Runs the checks of a chat completion for one model call of a turn, and places its balance hold. */
export async function prepareAndHoldCall(
  services: AssistantServices,
  turn: ActiveTurn,
  messages: readonly ChatMessage[],
  use: TriggerUse,
): Promise<Held> {
  const { request, id, requestId, key, plan, acceptableTerms, dialectChecked, run, assistant, stream, meta } = turn;
  const call: WithBody = {
    request,
    id,
    requestId,
    startedAt: Date.now(),
    meta: { headers: {}, report: meta.report, sumCalls },
    key,
    plan,
    acceptableTerms,
    dialectChecked,
    run: run.call(),
    body: encodeUtf8(JSON.stringify(modelRequest(assistant, messages, { use, stream }))),
  };
  try {
    return await prepareAndHold(services, call, chatCodec);
  } catch (error) {
    releaseAdmission(services, call);
    throw error;
  }
}
