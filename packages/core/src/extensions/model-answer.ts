import type { ModelAnswer } from "../ports/model-calls.ts";
import type { ToolCall } from "../wire/chat-completion-request.ts";
import { isJsonObject } from "../wire/json.ts";
import { messageTexts } from "../wire/message-texts.ts";
import type { NormalizedCompletion } from "../wire/normalize-completion.ts";

/** Reads the first choice of a completion. */
export function modelAnswer({ choices: [choice] }: NormalizedCompletion): ModelAnswer {
  return {
    ...messageTexts(choice?.message ?? {}),
    toolCalls: readToolCalls(choice?.message["tool_calls"]),
    finishReason: choice?.finish_reason ?? "stop",
  };
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
