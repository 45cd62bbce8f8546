import type { ProviderCall } from "../ports/provider-adapter.ts";
import { decodeUtf8 } from "../wire/bytes.ts";
import { type ChatCompletionRequest, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { isJsonMembers } from "../wire/json.ts";
import { parseLosslessJson, someValue } from "../wire/lossless-json.ts";

/**
 * Returns the request of a call with exact numbers in `tools` and `response_format`: a number that may have been rounded
 * is a LosslessNumber. For providers that write the request in another format. The body is parsed again only if one of the
 * two members has a number that is not a safe integer.
 */
export function withLosslessSchemas(call: ProviderCall): ChatCompletionRequest {
  const { request } = call;
  if (!mayBeRounded(request.tools) && !mayBeRounded(request.response_format)) return request;
  const exact = parseLosslessJson(decodeUtf8(call.encoded()) ?? "null");
  if (!isJsonMembers(exact)) return request;
  const { tools = null, response_format = null } = exact;
  const read = readChatCompletionRequest({ ...request, tools, response_format });
  return "request" in read ? read.request : request;
}

const mayBeRounded = (value: unknown): boolean =>
  someValue(value, (each) => typeof each === "number" && !Number.isSafeInteger(each));
