import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChatCompletionRequest, ChatMessage, ChatParameters } from "../../../wire/chat-completion-request.ts";
import { isNoOp } from "../../../wire/inspected-names.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import type { InputItem } from "./input-items.ts";
import { isSchemaFormat, type ResponsesRequest } from "./request-schema.ts";
import { offeredTools, toChatTools } from "./to-chat-tools.ts";
import { toMessages } from "./to-messages.ts";
import { untranslatable } from "./untranslatable.ts";

/** A request as the checks read it. */
export interface ChatView {
  readonly chat: ChatParameters;
  readonly messages: readonly ChatMessage[];
  /** The types of the items of its input that a chat completion cannot say. */
  readonly leftOut: readonly string[];
  /** Why only targets with the Responses API can serve it. */
  readonly problem: GatewayError | undefined;
}

/** Translates a request for the checks. */
export function chatView(request: ResponsesRequest): ChatView {
  const { messages, leftOut, problem } = toMessages(request.instructions ?? undefined, itemsOf(request));
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
  const { tools, toolChoice } = toChatTools(request);
  return {
    ...toChatParameters(request),
    messages: [...messages],
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    ...(tools === undefined || request.parallel_tool_calls == null
      ? {}
      : { parallel_tool_calls: request.parallel_tool_calls }),
  };
}

/** Returns the items of the input. A text is one message of the user. */
export const itemsOf = ({ input }: ResponsesRequest): readonly InputItem[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);

/** Translates what stands beside messages and tools. */
function toChatParameters(request: ResponsesRequest): ChatParameters {
  const { model, stream, temperature, top_p: topP, max_output_tokens: cap, reasoning, text } = request;
  const format = toResponseFormat(text?.format);
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

type Format = NonNullable<ResponsesRequest["text"]>["format"];

/** Text is the default, which is not named. */
function toResponseFormat(format: Format): ChatParameters["response_format"] {
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
