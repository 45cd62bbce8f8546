import type { Admission } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { checkFeatures } from "../../steps/check-call.ts";
import { parseChatRequest } from "../../steps/parse-request.ts";
import { selectModel } from "../../steps/pay.ts";
import { encodeUtf8 } from "../../wire/bytes.ts";
import { modelRequest } from "../config/model-request.ts";
import type { Assistant } from "../definition/assistant.ts";

/**
 * Rejects an assistant whose model the key may not use, or not with the features that the assistant needs. It runs the
 * checks of a chat completion, so the error is the one that the first turn would get.
 */
export async function requireModel(services: Services, admission: Admission, assistant: Assistant): Promise<void> {
  const body = modelRequest(assistant, [{ role: "user", content: "" }], { use: "first", stream: false });
  const call = await parseChatRequest(encodeUtf8(JSON.stringify(body)));
  const { exchange, caller } = admission;
  const model = selectModel(services, caller, call);
  exchange.report.model = model.id;
  checkFeatures(caller, call, model);
}
