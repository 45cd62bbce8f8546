import type { ChatMessage, ToolCall } from "../wire/chat-completion-request.ts";
import { isJsonObject } from "../wire/json.ts";
import type { MendedCompletion } from "../wire/mend-completion.ts";

/** What the model said in one round. */
export interface Reply {
  /** As it goes into the history. */
  readonly message: ChatMessage & { readonly role: "assistant" };
  /** The triggers that it wants called. */
  readonly calls: readonly ToolCall[];
  /** Why it ended; never `tool_calls` when there are none. */
  readonly finishReason: string;
}

/** Reads the first choice of a completion. Calls that it may not make are left out. */
export function readReply(completion: MendedCompletion, mayCall: boolean): Reply {
  const choice = completion.choices[0];
  const content = textOf(choice?.message["content"]);
  const refusal = choice?.message["refusal"];
  const calls = mayCall ? readCalls(choice?.message["tool_calls"]) : [];
  const finishReason = choice?.finish_reason ?? "stop";
  return {
    message: {
      role: "assistant",
      content: content ?? (calls.length > 0 ? null : ""),
      ...(typeof refusal === "string" ? { refusal } : {}),
      ...(calls.length > 0 ? { tool_calls: [...calls] } : {}),
    },
    calls,
    finishReason: calls.length === 0 && finishReason === "tool_calls" ? "stop" : finishReason,
  };
}

/** Some upstreams give parts where text belongs; what else stands among them, such as reasoning, is left out. */
function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === "string" ? content : undefined;
  const texts: unknown[] = content.map((part) => (isJsonObject(part) && part["type"] === "text" ? part["text"] : ""));
  return texts.filter((text) => typeof text === "string").join("");
}

/** A call without an id of its own gets one, by which its result is found. */
function readCalls(calls: unknown): ToolCall[] {
  const ids = new Set([""]);
  return (Array.isArray(calls) ? calls.flatMap(readCall) : []).map((call) => {
    const id = ids.has(call.id) ? `call_${crypto.randomUUID()}` : call.id;
    ids.add(id);
    return { ...call, id };
  });
}

/** A call without a name cannot be answered. */
function readCall(call: unknown): ToolCall[] {
  const called = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called) || typeof called["name"] !== "string") return [];
  const { id } = call;
  const given = called["arguments"];
  return [
    {
      id: typeof id === "string" ? id : "",
      type: "function",
      function: { name: called["name"], arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}) },
    },
  ];
}
