import type { ModelAnswer } from "@tollgate/core/extension";
import type { ChatMessage, ToolCall } from "@tollgate/core/provider";

/** The model's reply in one round of a turn. */
export interface ModelReply {
  /** The message for the next round; its thoughts, which some upstreams want back after a call, are not for the history. */
  readonly message: ChatMessage & { readonly role: "assistant" };
  /** The trigger calls that it requests. */
  readonly toolCalls: readonly ToolCall[];
  /** `tool_calls` if and only if there are tool calls. */
  readonly finishReason: string;
}

/** Makes the reply of a model's answer. Tool calls are dropped unless `mayCall`. */
export function readModelReply(answer: ModelAnswer, mayCall: boolean): ModelReply {
  const { text, reasoning, refusal } = answer;
  const toolCalls = mayCall ? answer.toolCalls : [];
  const hasCalls = toolCalls.length > 0;
  return {
    message: {
      role: "assistant",
      content: hasCalls && text === "" ? null : text,
      ...(refusal === "" ? {} : { refusal }),
      ...(hasCalls ? { reasoning_content: reasoning, tool_calls: [...toolCalls] } : {}),
    },
    toolCalls,
    finishReason: finishReasonOf(answer.finishReason, hasCalls),
  };
}

/** Some upstreams report `stop` with tool calls, or `tool_calls` without any. */
function finishReasonOf(reason: string, hasCalls: boolean): string {
  if (hasCalls) return "tool_calls";
  return reason === "tool_calls" || reason === "function_call" ? "stop" : reason;
}
