import type { ProviderCall } from "../ports/provider-adapter.ts";
import { type ChatCompletionRequest, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { parseExactJson } from "../wire/exact-json.ts";
import { isJsonMembers } from "../wire/json.ts";
import { someValue } from "../wire/some-value.ts";
import { decodeUtf8 } from "../wire/utf8.ts";

/**
 * The request of a call with the digits that the client wrote in `tools` and `response_format`: a number there that may
 * have been rounded is an ExactNumber. For providers that write the request anew. The body is read a second time only
 * when one of the two holds a number that is not a safe integer.
 */
export function withExactSchemas(call: ProviderCall): ChatCompletionRequest {
  const { request } = call;
  if (!mayBeRounded(request.tools) && !mayBeRounded(request.response_format)) return request;
  const exact = parseExactJson(decodeUtf8(call.encoded()) ?? "null");
  if (!isJsonMembers(exact)) return request;
  const { tools = null, response_format = null } = exact;
  const read = readChatCompletionRequest({ ...request, tools, response_format });
  return "request" in read ? read.request : request;
}

const mayBeRounded = (value: unknown): boolean => someValue(value, isUnsafe);
const isUnsafe = (value: unknown): boolean => typeof value === "number" && !Number.isSafeInteger(value);
