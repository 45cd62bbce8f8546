import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { ChatMessage } from "@tollgate/core/provider";
import { textOf, toToolOutput, toUserParts } from "./content-parts.ts";
import { readSignature } from "./thought-signature.ts";
import { readToolInput } from "./tool-input.ts";

/**
 * Maps the messages of a request to the prompt of a language model. Consecutive tool results become one message, as in
 * the SDK itself. Throws `rejected` for a content part that the SDK does not support.
 */
export function toPrompt(messages: readonly ChatMessage[]): LanguageModelV3Prompt {
  // A result has only the id of its call, but some models also need the name of the tool. A later turn may reuse an id.
  const names = new Map<string, string>();
  const prompt: LanguageModelV3Prompt = [];
  for (const [position, message] of messages.entries()) {
    const param = `messages.${position}.content`;
    const last = prompt.at(-1);
    for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    if (message.role !== "tool") prompt.push(toMessage(message, param));
    else if (last?.role === "tool") last.content.push(toToolResult(message, names, param));
    else prompt.push({ role: "tool", content: [toToolResult(message, names, param)] });
  }
  return prompt;
}

function toMessage(message: ChatMessage, param: string): LanguageModelV3Message {
  if (message.role === "user") return { role: "user", content: toUserParts(message.content, param) };
  if (message.role === "assistant") return { role: "assistant", content: toAssistantParts(message, param) };
  return { role: "system", content: textOf(message.content, "\n", param) };
}

type AssistantParts = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

function toAssistantParts(message: ChatMessage, param: string): AssistantParts {
  const reasoning = message["reasoning_content"] ?? message["reasoning"];
  const text = textOf(message.content, "", param);
  const parts: AssistantParts = [];
  if (typeof reasoning === "string" && reasoning !== "") parts.push({ type: "reasoning", text: reasoning });
  if (text !== "") parts.push({ type: "text", text });
  for (const call of message.tool_calls ?? []) {
    const { name, arguments: args } = call.function;
    parts.push({
      type: "tool-call",
      toolCallId: call.id,
      toolName: name,
      input: readToolInput(args),
      ...readSignature(call),
    });
  }
  return parts;
}

function toToolResult(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  param: string,
): LanguageModelV3ToolResultPart {
  const id = message.tool_call_id ?? "";
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: names.get(id) ?? message.name ?? "unknown",
    output: toToolOutput(message.content, param),
  };
}
