import type { Held, WithBody } from "../../request/request-stages.ts";
import { prepareAndHold } from "../../steps/prepare-and-hold.ts";
import { releaseAdmission } from "../../steps/release-admission.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import { encodeUtf8 } from "../../wire/utf8.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest, type TriggerUse } from "../config/model-request.ts";
import type { Begun } from "./begin-turn.ts";

/** Takes one call of the turn's model through the router's path, from its body to a request that is paid for. */
export async function prepareAndHoldCall(
  services: AssistantServices,
  begun: Begun,
  messages: readonly ChatMessage[],
  use: TriggerUse,
): Promise<Held> {
  const { request, id, requestId, key, plan, acceptableTerms, run, assistant, asked, meta } = begun;
  const call: WithBody = {
    request,
    id,
    requestId,
    startedAt: Date.now(),
    meta: { headers: {}, report: meta.report, isPart: true },
    key,
    plan,
    acceptableTerms,
    run: run.call(),
    body: encodeUtf8(JSON.stringify(modelRequest(assistant, messages, { use, stream: asked.stream }))),
  };
  try {
    return await prepareAndHold(services, call);
  } catch (error) {
    releaseAdmission(services, call);
    throw error;
  }
}
