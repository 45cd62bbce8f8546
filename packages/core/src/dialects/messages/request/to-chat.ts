import type {
  ChatCompletionRequest,
  ChatMessage,
  ChatParameters,
  Tool,
  ToolCall,
} from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import type { ContentPart } from "../../../wire/media.ts";
import { resultsAfterCalls } from "../../../wire/results-after-calls.ts";
import { toChatCallId } from "./call-ids.ts";
import { type Content, cacheMark, simplest, toParts } from "./chat-blocks.ts";
import {
  type Block,
  isCustomType,
  type Message,
  type MessagesRequest,
  type MessagesSettings,
} from "./messages-schema.ts";

/** The settings that both forms of the request have, with the numbers of the given one. */
function toSettings(request: MessagesSettings, effort: string | undefined) {
  const { model, stream, max_tokens: most, temperature, top_p: topP, top_k: topK, stop_sequences: stop } = request;
  const format = request.output_config?.format ?? request.output_format;
  return {
    model,
    ...(stream == null ? {} : { stream }),
    ...(most == null ? {} : { max_tokens: most }),
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { top_p: topP }),
    // Some chat upstreams accept it; a provider lists it in `refusedFields` if its upstream does not.
    ...(topK == null ? {} : { top_k: topK }),
    ...(stop == null || stop.length === 0 ? {} : { stop }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format == null
      ? {}
      : {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: format.schema },
          } as const,
        }),
  };
}

/**
 * Returns the settings of a request as those of a chat completion, for checks, bounds and reports. `user` names the end
 * user. It is not sent to targets that receive a chat completion, since their limits on its length differ.
 */
export function toChatParameters(request: MessagesSettings, effort: string | undefined): ChatParameters {
  const user = request.metadata?.user_id;
  return {
    ...toSettings(request, effort),
    ...(request.tools != null && request.tools.length > 0 ? { tools: [...request.tools] } : {}),
    ...(user == null ? {} : { user }),
  };
}

/** Maps a request, whose numbers may be exact, to a chat completion with the effort that was found for its model. */
export const toChatRequest = (request: MessagesRequest, effort: string | undefined): ChatCompletionRequest => ({
  ...toSettings(request, effort),
  messages: [...toChatMessages(request)],
  ...toChatTools(request),
  ...(request["cache_control"] == null ? {} : { cache_control: request["cache_control"] }),
});

/** Maps the tools that have a schema to functions. Others are left out, and the choice with them if no tool is left. */
function toChatTools({ tools, tool_choice: choice }: MessagesRequest) {
  const functions = (tools ?? []).flatMap(toFunction);
  if (functions.length === 0) return {};
  return {
    tools: functions,
    ...(choice == null ? {} : { tool_choice: toChoice(choice) }),
    ...(choice?.disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {}),
  };
}

function toFunction(tool: JsonObject): readonly Tool[] {
  const { name, description, input_schema: parameters } = tool;
  if (!isCustomType(tool["type"]) || typeof name !== "string" || !isJsonObject(parameters)) return [];
  const declared = {
    name,
    ...(typeof description === "string" ? { description } : {}),
    parameters,
    ...(tool["strict"] === true ? { strict: true } : {}),
  };
  return [{ type: "function", function: declared, ...cacheMark(tool) }];
}

function toChoice({ type, name }: NonNullable<MessagesRequest["tool_choice"]>): ChatCompletionRequest["tool_choice"] {
  if (type === "tool") return { type: "function", function: { name: name ?? "" } };
  return type === "any" ? "required" : type;
}

/** Maps the system prompt and the messages of a request to those of a chat completion, with results after their calls. */
export function toChatMessages({
  system,
  messages,
}: Pick<MessagesRequest, "system" | "messages">): readonly ChatMessage[] {
  const mapped: ChatMessage[] = [];
  const prompt = withoutBillingLine(system ?? "");
  if (prompt.length > 0) mapped.push({ role: "system", content: toContent(prompt) });
  const calls = new Set<unknown>();
  for (const message of messages) {
    for (const each of toMessages(message)) {
      for (const { id } of each.tool_calls ?? []) calls.add(id);
      // Upstreams refuse a result without a call.
      if (each.role !== "tool" || calls.has(each.tool_call_id)) mapped.push(each);
    }
  }
  return resultsAfterCalls(mapped);
}

/**
 * Claude Code begins the system prompt with a line for Anthropic's billing, which changes with each request. At other upstreams
 * it would only defeat their prompt caches. See https://github.com/musistudio/claude-code-router/issues/1343
 */
const billingLine = /^x-anthropic-billing-header:[^\n]*\n*/;

function withoutBillingLine(system: Content): Content {
  if (typeof system === "string") return system.replace(billingLine, "");
  const [first, ...rest] = system;
  const text = first?.["text"];
  if (first === undefined || typeof text !== "string" || !billingLine.test(text)) return system;
  const kept = text.replace(billingLine, "");
  return kept === "" ? rest : [{ ...first, text: kept }, ...rest];
}

function toMessages({ role, content }: Message): readonly ChatMessage[] {
  if (typeof content === "string" || role === "system") return [{ role, content: toContent(content) }];
  return role === "user" ? toUserMessages(content) : [toAssistantMessage(content)];
}

const toContent = (content: Content): string | ContentPart[] =>
  typeof content === "string" ? content : simplest(content.flatMap(toParts));

/** The results of tools come first, since they must follow the message with the calls. */
function toUserMessages(blocks: readonly Block[]): readonly ChatMessage[] {
  const results: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  for (const block of blocks) {
    if (block.type !== "tool_result") {
      for (const part of toParts(block)) parts.push(part);
      continue;
    }
    const id = toChatCallId(String(block["tool_use_id"]));
    results.push({ role: "tool", tool_call_id: id, content: simplest(toResult(block)) });
  }
  // All other blocks may be left out.
  const isEmpty = parts.length === 0 && blocks.length > 0;
  return isEmpty ? results : [...results, { role: "user", content: simplest(parts) }];
}

/** A result begins with a text, which says whether it is an error. Its images and files stay in it here. */
function toResult(block: Block): ContentPart[] {
  const { content, is_error: isError } = block;
  const blocks: readonly Block[] = Array.isArray(content) ? content : [];
  const parts: ContentPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : blocks.flatMap(toParts);
  const at = parts.findIndex(isTextPart);
  const first = parts[at];
  const others = parts.filter((part) => part !== first);
  const [other, ...rest] = others;
  if (first === undefined && isError !== true && other !== undefined)
    return [{ ...other, ...cacheMark(block) }, ...rest];
  const text = String(first?.["text"] ?? "");
  const lead = { type: "text", ...first, text: isError === true ? `Error: ${text}` : text };
  return [{ ...lead, ...cacheMark(block) }, ...others];
}

const isTextPart = (part: ContentPart): boolean => part["type"] === "text";

/** The thoughts of an earlier answer go only to upstreams that read them. */
function toAssistantMessage(blocks: readonly Block[]): ChatMessage {
  const parts = blocks.flatMap(toParts);
  const calls = blocks.filter(({ type }) => type === "tool_use").map(toCall);
  const content = parts.length === 0 ? (calls.length > 0 ? null : "") : simplest(parts);
  const thoughts = blocks.map(({ thinking }) => (typeof thinking === "string" ? thinking : "")).join("");
  return {
    role: "assistant",
    content,
    ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

const toCall = (block: Block): ToolCall => ({
  id: toChatCallId(String(block["id"])),
  type: "function",
  function: { name: String(block["name"]), arguments: writeLosslessJson(block["input"] ?? {}) },
  ...cacheMark(block),
});
