import type { ChatMessage, ToolCall } from "../../../wire/chat-completion-request.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import type { ContentPart } from "../../../wire/media.ts";
import { resultsAfterCalls } from "../../../wire/results-after-calls.ts";
import { toChatCallId } from "./call-ids.ts";
import { type ChatContent, type Content, cacheMark, simplest, toParts } from "./chat-blocks.ts";
import type { Block, Message, MessagesRequest } from "./messages-schema.ts";

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

const toContent = (content: Content): ChatContent =>
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
