import { type ChatMessage, isNoArguments, resultsAfterCalls, type ToolCall } from "@tollgate/core/provider";
import { CallIds } from "./call-ids.ts";
import { toBlocks, toTextBlocks } from "./content-blocks.ts";
import { isJsonObject, parseLossless } from "./json-object.ts";
import type { ContentBlock, TextBlock, ToolResultBlock, ToolUseBlock, Turn } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

/** A history in the form of the Messages API, which separates the system prompt from the turns. */
export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

/**
 * Maps a history: system and developer messages go to `system`, tool results become blocks of the user, and consecutive
 * messages of one role become one turn. Throws a ProviderError of the kind `rejected` for content that the API does not
 * support.
 */
export function toConversation(messages: readonly ChatMessage[]): Conversation {
  const system: TextBlock[] = [];
  const ids = new CallIds();
  const turns: { role: Turn["role"]; content: ContentBlock[] }[] = [];
  const append = (role: Turn["role"], blocks: readonly ContentBlock[]) => {
    const last = turns.at(-1);
    // Not `push(...blocks)`: a client may send more parts than a function call can have arguments.
    if (last?.role === role) for (const block of blocks) last.content.push(block);
    else if (blocks.length > 0) turns.push({ role, content: [...blocks] });
  };
  const places = new Map(messages.map((message, index) => [message, index]));
  for (const message of resultsAfterCalls(messages)) {
    const path = `messages.${places.get(message)}`;
    if (message.role === "user") append("user", toBlocks(message.content, path));
    else if (message.role === "assistant") append("assistant", toAssistantBlocks(message, path, ids));
    else if (message.role === "tool") append("user", [toToolResult(message, path, ids)]);
    else for (const block of toTextBlocks(message.content, path)) system.push(block);
  }
  if (turns.length === 0) throw rejected("messages", "must have a user message that is not empty. Add one.");
  return { system, turns };
}

function toAssistantBlocks({ content, tool_calls: calls }: ChatMessage, path: string, ids: CallIds): ContentBlock[] {
  const uses = (calls ?? []).map((call, index) => toToolUse(call, `${path}.tool_calls.${index}`, ids));
  return [...toTextBlocks(content, path), ...uses];
}

function toToolUse({ id, function: called }: ToolCall, path: string, ids: CallIds): ToolUseBlock {
  const input = isNoArguments(called.arguments) ? {} : parseLossless(called.arguments);
  if (!isJsonObject(input)) throw rejected(`${path}.function.arguments`, "must be a JSON object.");
  return { type: "tool_use", id: ids.forCall(id), name: called.name, input };
}

function toToolResult({ tool_call_id: id, content }: ChatMessage, path: string, ids: CallIds): ToolResultBlock {
  if (id == null)
    throw rejected(`${path}.tool_call_id`, "is required. Send the id of the tool call that this message answers.");
  return { type: "tool_result", tool_use_id: ids.forResult(id), content: toBlocks(content, path) };
}
