import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { ChatCompletion, CompletionMessage, ToolCall } from "@tollgate/core/provider";
import { toAnswerHead } from "./answer-head.ts";
import { writeSignature } from "./thought-signature.ts";
import { toFinishReason } from "./to-finish-reason.ts";
import { toUsage } from "./to-usage.ts";

/**
 * Maps the result of a model to a completion. Files, sources, warnings and tool calls that the upstream executed are left
 * out, since a completion cannot contain them. Throws a ProviderError if the finish reason is an error.
 */
export function toCompletion(result: LanguageModelV3GenerateResult): ChatCompletion {
  const message = toMessage(result.content);
  const usage = toUsage(result.usage);
  const finish = toFinishReason(result.finishReason, message.tool_calls !== undefined);
  return {
    ...toAnswerHead(result.response ?? {}),
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
  };
}

function toMessage(content: readonly LanguageModelV3Content[]): CompletionMessage {
  const text = joined(content, "text");
  const reasoning = joined(content, "reasoning");
  const calls = content.flatMap((part) => (part.type === "tool-call" && !part.providerExecuted ? [toCall(part)] : []));
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

const joined = (content: readonly LanguageModelV3Content[], type: "text" | "reasoning"): string =>
  content.map((part) => (part.type === type ? part.text : "")).join("");

function toCall(part: Extract<LanguageModelV3Content, { type: "tool-call" }>): ToolCall {
  return {
    id: part.toolCallId,
    type: "function",
    function: { name: part.toolName, arguments: part.input || "{}" },
    ...writeSignature(part.providerMetadata),
  };
}
