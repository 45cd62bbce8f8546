import type { ChatMessage, ToolCall } from "../../wire/chat-completion-request.ts";
import { isJsonObject } from "../../wire/json.ts";
import { messageTexts } from "../../wire/message-texts.ts";
import type { NormalizedChoice, NormalizedCompletion } from "../../wire/normalize-completion.ts";

/** The model's reply in one round of a turn. */
export interface ModelReply {
  /** The message for the next round; its thoughts, which some upstreams want back after a call, are not for the history. */
  readonly message: ChatMessage & { readonly role: "assistant" };
  /** The trigger calls that it requests. */
  readonly toolCalls: readonly ToolCall[];
  /** `tool_calls` if and only if there are tool calls. */
  readonly finishReason: string;
}

/** Reads the first choice of a completion. Tool calls are dropped unless `mayCall`. */
export function readModelReply(completion: NormalizedCompletion, mayCall: boolean): ModelReply {
  const choice = completion.choices[0];
  const content = textOf(choice?.message["content"]);
  const refusal = choice?.message["refusal"];
  const toolCalls = mayCall ? readToolCalls(choice?.message["tool_calls"]) : [];
  return {
    message: {
      role: "assistant",
      content: content ?? (toolCalls.length > 0 ? null : ""),
      ...(typeof refusal === "string" ? { refusal } : {}),
      ...(toolCalls.length > 0 ? { reasoning_content: thoughtsOf(choice), tool_calls: [...toolCalls] } : {}),
    },
    toolCalls,
    finishReason: finishReasonOf(choice?.finish_reason ?? "stop", toolCalls),
  };
}

const thoughtsOf = (choice: NormalizedChoice | undefined): string => messageTexts(choice?.message ?? {}).reasoning;

/** Some upstreams report `stop` with tool calls, or `tool_calls` without any. */
function finishReasonOf(reason: string, toolCalls: readonly ToolCall[]): string {
  if (toolCalls.length > 0) return "tool_calls";
  return reason === "tool_calls" || reason === "function_call" ? "stop" : reason;
}

/** Some upstreams send content as an array of parts. Only its text is used; parts of other types, such as reasoning, are dropped. */
function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === "string" ? content : undefined;
  const texts: unknown[] = content.map((part) => (isJsonObject(part) && part["type"] === "text" ? part["text"] : ""));
  return texts.filter((text) => typeof text === "string").join("");
}

/** A call with a missing or repeated id gets a new one, since its result is matched by id. */
function readToolCalls(calls: unknown): ToolCall[] {
  const ids = new Set([""]);
  return (Array.isArray(calls) ? calls.flatMap(readToolCall) : []).map((call) => {
    const id = ids.has(call.id) ? `call_${crypto.randomUUID()}` : call.id;
    ids.add(id);
    return { ...call, id };
  });
}

/** Returns no call when it names no function. */
function readToolCall(call: unknown): ToolCall[] {
  const called = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called) || typeof called["name"] !== "string") return [];
  const { id } = call;
  const callArguments = called["arguments"];
  return [
    {
      id: typeof id === "string" ? id : "",
      type: "function",
      function: {
        name: called["name"],
        arguments: typeof callArguments === "string" ? callArguments : JSON.stringify(callArguments ?? {}),
      },
    },
  ];
}
