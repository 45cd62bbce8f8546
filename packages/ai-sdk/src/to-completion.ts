import type { LanguageModelV3Reasoning, LanguageModelV3Text, LanguageModelV3ToolCall } from "@ai-sdk/provider";
import type { ChatCompletion, CompletionMessage, ToolCall } from "@tollgate/core/provider";
import { toAnswerHead } from "./answer-head.ts";
import type { GenerateResult, Part } from "./language-model.ts";
import { writeSignature } from "./thought-signature.ts";
import { toFinishReason } from "./to-finish-reason.ts";
import { toUsage } from "./to-usage.ts";

/**
 * Maps the result of a model to a completion. Files, sources, warnings and tool calls that the upstream executed are left
 * out, since a completion cannot contain them. Throws a ProviderError if the finish reason is an error.
 */
export function toCompletion(result: GenerateResult): ChatCompletion {
  const message = toMessage(result.content.filter(isRead));
  const usage = toUsage(result.usage);
  const finish = toFinishReason(result.finishReason, message.tool_calls !== undefined);
  return {
    ...toAnswerHead(result.response ?? {}),
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
  };
}

type ReadPart = LanguageModelV3Text | LanguageModelV3Reasoning | LanguageModelV3ToolCall;

const isRead = (part: Part): part is ReadPart => ["text", "reasoning", "tool-call"].includes(part.type);

function toMessage(content: readonly ReadPart[]): CompletionMessage {
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

const joined = (content: readonly ReadPart[], type: "text" | "reasoning"): string =>
  content.map((part) => (part.type === type ? part.text : "")).join("");

function toCall(part: LanguageModelV3ToolCall): ToolCall {
  return {
    id: part.toolCallId,
    type: "function",
    function: { name: part.toolName, arguments: part.input || "{}" },
    ...writeSignature(part.providerMetadata),
  };
}
