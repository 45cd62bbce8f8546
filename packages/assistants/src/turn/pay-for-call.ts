import type { PaidCall } from "../../request/paid-call.ts";
import { guard } from "../../steps/admit.ts";
import { parseChatRequest } from "../../steps/parse-request.ts";
import { pay } from "../../steps/pay.ts";
import { encodeUtf8 } from "../../wire/bytes.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest, type TriggerUse } from "../config/model-request.ts";
import type { ActiveTurn } from "./begin-turn.ts";

/** Pays for one model call of a turn, by the steps of a chat completion. The call has an id, a start and headers of its own. */
export async function payForCall(
  services: AssistantServices,
  { admission, assistant, message }: ActiveTurn,
  messages: readonly ChatMessage[],
  use: TriggerUse,
): Promise<PaidCall> {
  const { caller, terms, slot } = admission;
  const { request, requestId, report } = admission.exchange;
  const exchange = { request, id: crypto.randomUUID(), requestId, startedAt: Date.now(), headers: {}, report };
  const body = encodeUtf8(JSON.stringify(modelRequest(assistant, messages, { use, stream: message.stream })));
  slot.retain();
  return await guard(services, { exchange, caller, terms, slot }, async () =>
    pay(services, { exchange, caller, terms, slot }, await parseChatRequest(body)),
  );
}
