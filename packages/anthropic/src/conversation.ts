import { readArguments } from "@tollgate/core/internal";
import { type ChatMessage, resultsAfterCalls, type ToolCall } from "@tollgate/core/provider";
import { toBlocks, toTextBlocks } from "./content-blocks.ts";
import type { TextBlock, Turn } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

/**
 * Maps a history: system and developer messages go to `system`, tool results become blocks of the user, and consecutive
 * messages of one role become one turn. Throws a ProviderError of the kind `rejected` for content that the API does not
 * support.
 */
export function toConversation(messages: readonly ChatMessage[]): {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
} {
  const system: TextBlock[] = [];
  const ids = new CallIds();
  const turns: { role: Turn["role"]; content: Turn["content"][number][] }[] = [];
  const append = (role: Turn["role"], blocks: Turn["content"]) => {
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

function toAssistantBlocks({ content, tool_calls: calls }: ChatMessage, path: string, ids: CallIds): Turn["content"] {
  const uses = (calls ?? []).map((call, index) => toToolUse(call, `${path}.tool_calls.${index}`, ids));
  return [...toTextBlocks(content, path), ...uses];
}

function toToolUse({ id, function: called }: ToolCall, path: string, ids: CallIds): Turn["content"][number] {
  const input = readArguments(called.arguments);
  if (input === undefined) throw rejected(`${path}.function.arguments`, "must be a JSON object.");
  return { type: "tool_use", id: ids.forCall(id), name: called.name, input };
}

function toToolResult({ tool_call_id: id, content }: ChatMessage, path: string, ids: CallIds): Turn["content"][number] {
  if (id == null)
    throw rejected(`${path}.tool_call_id`, "is required. Send the id of the tool call that this message answers.");
  return { type: "tool_result", tool_use_id: ids.forResult(id), content: toBlocks(content, path) };
}

/**
 * Maps the ids of the calls in one history to ids that the API accepts: letters, digits, "_" and "-", each id used once.
 * Other providers use other characters, and some restart their numbering in each answer.
 */
class CallIds {
  /** For each id in the history: the ids that were sent for its calls, and how many of them have a result. */
  readonly #sent = new Map<string, { readonly ids: string[]; answered: number }>();
  readonly #used = new Set<string>();
  #repeated = 0;

  /** Returns the id to send for the next call. */
  forCall(id: string): string {
    const plain = toPlain(id);
    let sent = plain;
    while (this.#used.has(sent)) {
      this.#repeated += 1;
      sent = `${plain}_${this.#repeated}`;
    }
    this.#used.add(sent);
    const calls = this.#sent.get(id);
    if (calls === undefined) this.#sent.set(id, { ids: [sent], answered: 0 });
    else calls.ids.push(sent);
    return sent;
  }

  /** Returns the id to send for the next result. If calls share an id, their results are matched in order. */
  forResult(id: string): string {
    const calls = this.#sent.get(id);
    if (calls === undefined) return toPlain(id);
    calls.answered += 1;
    return calls.ids[calls.answered - 1] ?? calls.ids.at(-1) ?? toPlain(id);
  }
}

const toPlain = (id: string): string => id.replace(/[^\w-]/g, "_") || "_";
