import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChatCompletionRequest, ChatMessage, ChatParameters } from "../../../wire/chat-completion-request.ts";
import { isNoOp } from "../../../wire/inspected-names.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { isSchemaFormat, itemsOf, type ResponsesRequest } from "./request-schema.ts";
import { offeredTools, toChatTools } from "./to-chat-tools.ts";
import { toMessages, untranslatable } from "./to-messages.ts";

/** Translates a request for the checks, with what {@link toMessages} returns for its input. */
export function chatView(request: ResponsesRequest) {
  const { messages, leftOut, problem } = toMessages(request.instructions ?? undefined, itemsOf(request.input));
  return { chat: chatSettings(request), messages, leftOut, problem: problem ?? untranslatableMember(request) };
}

/** Translates what the checks read of a request beside its messages: all its tools, and the end user, whom the targets are not told. */
export function chatSettings(request: ResponsesRequest): ChatParameters {
  const { safety_identifier: endUser, user } = request;
  const tools = offeredTools(request);
  return {
    ...toChatParameters(request),
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    ...(endUser == null ? {} : { safety_identifier: endUser }),
    ...(user == null ? {} : { user }),
  };
}

/** Translates a request to the chat completion that targets receive. `messages` are those of its {@link chatView}. */
export function toChatRequest(request: ResponsesRequest, messages: readonly ChatMessage[]): ChatCompletionRequest {
  return { ...toChatParameters(request), messages: [...messages], ...toChatTools(request) };
}

/** Translates what stands beside messages and tools. */
function toChatParameters(request: ResponsesRequest): ChatParameters {
  const { model, stream, temperature, top_p: topP, max_output_tokens: cap, reasoning, text } = request;
  const format = toResponseFormat(request);
  return {
    model,
    ...(stream == null ? {} : { stream }),
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { top_p: topP }),
    ...(cap == null ? {} : { max_completion_tokens: cap }),
    ...(reasoning?.effort == null ? {} : { reasoning_effort: reasoning.effort }),
    ...(format === undefined ? {} : { response_format: format }),
    ...(text?.verbosity == null ? {} : { verbosity: text.verbosity }),
  };
}

/** Text is the default, which is not named. */
function toResponseFormat({ text }: ResponsesRequest): ChatParameters["response_format"] {
  const format = text?.format;
  if (format == null || format.type === "text") return undefined;
  if (!isSchemaFormat(format)) return { type: "json_object" };
  const { type, name, schema, strict, description } = format;
  const described = description == null ? {} : { description };
  return { type, json_schema: { name, ...described, schema, ...(strict == null ? {} : { strict }) } };
}

/** Members that a chat completion says in another way, or that nobody misses who does not get them. */
const translatable: ReadonlySet<string> = new Set([
  "model",
  "input",
  "instructions",
  "stream",
  "stream_options",
  "store",
  "previous_response_id",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_tool_calls",
  "text",
  "reasoning",
  "max_output_tokens",
  "temperature",
  "top_p",
  "metadata",
  "client_metadata",
  "safety_identifier",
  "user",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "service_tier",
]);

/** Returns the error for the first member that a chat completion cannot say. */
function untranslatableMember(request: ResponsesRequest): GatewayError | undefined {
  if (request.include?.includes("message.output_text.logprobs")) return untranslatable("include");
  const { reasoning } = request;
  if (isJsonObject(reasoning) && reasoning["mode"] != null && reasoning["mode"] !== "standard") {
    return untranslatable("reasoning.mode");
  }
  const name = Object.keys(request).find((each) => !translatable.has(each) && asksForMore(each, request));
  // The client chooses the name, and so the length of the error.
  return name === undefined ? undefined : untranslatable(name.slice(0, 128));
}

function asksForMore(name: string, request: JsonObject): boolean {
  const value = request[name];
  if (name === "truncation") return value != null && value !== "disabled";
  return name !== "include" && value !== 0 && !isNoOp(name, value);
}
