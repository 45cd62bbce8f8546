import type { Admitted } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { checkFeatures } from "../../steps/check-features.ts";
import { parseRequest } from "../../steps/parse-request.ts";
import { selectModel } from "../../steps/select-model.ts";
import { encodeUtf8 } from "../../wire/utf8.ts";
import { modelRequest } from "../config/model-request.ts";
import type { Assistant } from "../definition/assistant.ts";

/**
 * Refuses an assistant whose model the key may not use, or not with what the assistant asks of it, by the checks and in
 * the words of the router: its first turn would be refused in the same way.
 */
export async function requireModel(services: Services, admitted: Admitted, assistant: Assistant): Promise<void> {
  const body = modelRequest(assistant, [{ role: "user", content: "" }], { use: "first", stream: false });
  const call = await parseRequest({ ...admitted, body: encodeUtf8(JSON.stringify(body)) });
  checkFeatures(selectModel(services, call));
}
