import type { ChatMessage, ToolCall } from "../../wire/chat-completion-request.ts";
import { isJsonObject } from "../../wire/json.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";

/** What the model said in one round. */
export interface Reply {
  /** As it goes into the history. */
  readonly message: ChatMessage & { readonly role: "assistant" };
  /** The triggers that it wants called. */
  readonly calls: readonly ToolCall[];
  /** Why it ended, by what it holds: `tool_calls` when and only when there are calls. */
  readonly finishReason: string;
}

/** Reads the first choice of a completion. Calls that it may not make are left out. */
export function readReply(completion: NormalizedCompletion, mayCall: boolean): Reply {
  const choice = completion.choices[0];
  const content = textOf(choice?.message["content"]);
  const refusal = choice?.message["refusal"];
  const calls = mayCall ? readCalls(choice?.message["tool_calls"]) : [];
  return {
    message: {
      role: "assistant",
      content: content ?? (calls.length > 0 ? null : ""),
      ...(typeof refusal === "string" ? { refusal } : {}),
      ...(calls.length > 0 ? { tool_calls: [...calls] } : {}),
    },
    calls,
    finishReason: finishOf(choice?.finish_reason ?? "stop", calls),
  };
}

/** Some upstreams say that they stopped beside calls, or that they call and call nothing. */
function finishOf(reason: string, calls: readonly ToolCall[]): string {
  if (calls.length > 0) return "tool_calls";
  return reason === "tool_calls" || reason === "function_call" ? "stop" : reason;
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
