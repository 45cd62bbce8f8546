import type {
  LanguageModelV3Reasoning,
  LanguageModelV3ResponseMetadata,
  LanguageModelV3Text,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { signatureMembers } from "@tollgate/core/internal";
import {
  type ChatCompletion,
  type CompletionMessage,
  finishReasonOf,
  type JsonObject,
  ProviderError,
  type ToolCall,
  type Usage,
} from "@tollgate/core/provider";
import type { GenerateResult, Part } from "./language-model.ts";

/**
 * Maps the result of a model to a completion. Files, sources, warnings and tool calls that the upstream executed are left
 * out, since a completion cannot contain them. Throws a ProviderError if the finish reason is an error.
 */
export function toCompletion(result: GenerateResult): ChatCompletion {
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

const isRead = (part: Part): part is LanguageModelV3Text | LanguageModelV3Reasoning | LanguageModelV3ToolCall =>
  ["text", "reasoning", "tool-call"].includes(part.type);

function toMessage(parts: readonly Part[]): CompletionMessage {
  const content = parts.filter(isRead);
  const joined = (type: "text" | "reasoning") => content.map((part) => (part.type === type ? part.text : "")).join("");
  const text = joined("text");
  const reasoning = joined("reasoning");
  const calls = content.flatMap((part) => (part.type === "tool-call" && !part.providerExecuted ? [toCall(part)] : []));
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toCall(part: LanguageModelV3ToolCall): ToolCall {
  return {
    id: part.toolCallId,
    type: "function",
    function: { name: part.toolName, arguments: part.input || "{}" },
    ...writeSignature(part.providerMetadata),
  };
}

/** Returns the members of a tool call for its signature, which Gemini requires in later requests. */
export function writeSignature(metadata: SharedV3ProviderMetadata | undefined): JsonObject {
  const signatures = Object.values(metadata ?? {}).map((each) => each["thoughtSignature"]);
  return signatureMembers(signatures.find((each) => typeof each === "string"));
}

/** Maps the SDK's response metadata to a completion's. The gateway adds the members that are absent. */
export function toAnswerHead({
  id,
  timestamp,
  modelId,
}: LanguageModelV3ResponseMetadata): Pick<ChatCompletion, "id" | "created" | "model"> {
  const seconds = Math.floor((timestamp?.getTime() ?? Number.NaN) / 1000);
  return {
    ...(id === undefined ? {} : { id }),
    ...(Number.isNaN(seconds) ? {} : { created: seconds }),
    ...(modelId === undefined ? {} : { model: modelId }),
  };
}

/** Maps a finish reason to OpenAI's. Throws a ProviderError if the reason is an error, or the upstream ended too early. */
export function toFinishReason({ unified, raw }: GenerateResult["finishReason"], hasCalls: boolean): string {
  switch (unified) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "error":
      throw failed(raw);
    case "interrupted":
      throw endedEarly();
    // Tool calls that the upstream executed are not passed to the client, so they do not end its turn.
    case "tool-calls":
      return hasCalls ? "tool_calls" : "stop";
    default:
      return otherReason(raw, hasCalls);
  }
}

/** The SDK does not know the word of the upstream. */
function otherReason(raw: string | undefined, hasCalls: boolean): string {
  const reason = raw === undefined || raw === "other" ? "stop" : finishReasonOf(raw);
  if (reason === "interrupted") throw failed(raw);
  return reason === "stop" && hasCalls ? "tool_calls" : reason;
}

const failed = (raw: string | undefined) =>
  new ProviderError("failed", `The model ended with an error${inBrackets(raw)}. Try again, or use another target.`);

const inBrackets = (raw: string | undefined) => (raw !== undefined && /^[\w.-]{1,60}$/.test(raw) ? ` (${raw})` : "");

/** The error for an answer that its upstream did not finish. */
export const endedEarly = (): ProviderError =>
  new ProviderError(
    "invalid_response",
    "The model's answer ended without a finish reason. Try again, or use another target.",
  );

/** Maps the usage of a model to a completion's. Returns undefined if the input or output tokens are unknown. */
export function toUsage({ inputTokens: input, outputTokens: output }: LanguageModelV3Usage): Usage | undefined {
  const prompt = input.total ?? sum([input.noCache, input.cacheRead, input.cacheWrite]);
  const completion = output.total ?? sum([output.text, output.reasoning]);
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      ...(input.cacheRead === undefined ? {} : { cached_tokens: input.cacheRead }),
      ...(input.cacheWrite === undefined ? {} : { cache_write_tokens: input.cacheWrite }),
    },
    completion_tokens_details: output.reasoning === undefined ? {} : { reasoning_tokens: output.reasoning },
  };
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  // A negative count must not lower the sum, which is what is charged.
  const known = counts.filter((count) => count !== undefined && count >= 0);
  return known.length === 0 ? undefined : known.reduce<number>((total, count = 0) => total + count, 0);
}
