import type OpenAI from "openai";
import { type AnswerPart, type AnswerTokens, type ModelAnswer, promptTokens, textOf } from "./model-answer.ts";
import type { ApiForm, UpstreamEvent } from "./upstream-event.ts";

/**
 * Answers as OpenAI's Chat Completions API sends them, with the reasoning of DeepSeek, vLLM and others. Follows
 * https://platform.openai.com/docs/api-reference/chat
 */
export const chatForm: ApiForm<ModelAnswer> = {
  whole: (answer, model) => ({
    ...identity("chat.completion", model),
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: finishReasons[answer.end] }],
    usage: usageOf(answer.tokens),
  }),
  events: (answer, model) => {
    const chunk = (delta: object, finish_reason: string | null = null): UpstreamEvent => ({
      name: undefined,
      data: { ...identity("chat.completion.chunk", model), choices: [{ index: 0, delta, finish_reason }] },
      isContent: finish_reason === null && !("role" in delta),
    });
    const usage = { ...identity("chat.completion.chunk", model), choices: [], usage: usageOf(answer.tokens) };
    return [
      chunk({ role: "assistant", content: "" }),
      ...deltasOf(answer).map((delta) => chunk(delta)),
      chunk({}, finishReasons[answer.end]),
      { name: undefined, data: usage, isContent: false },
      { name: undefined, data: "[DONE]", isContent: false },
    ];
  },
  error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  errorEvent: (message) => ({
    name: undefined,
    data: { error: { message, type: "server_error", code: "overloaded" } },
    isContent: false,
  }),
};

const identity = (object: string, model: string) => ({ id: "chatcmpl-up-01", object, created: 1_700_000_000, model });

const finishReasons = { stop: "stop", length: "length", tools: "tool_calls", refusal: "stop" } as const;

const usageOf = (tokens: AnswerTokens): OpenAI.CompletionUsage => ({
  prompt_tokens: promptTokens(tokens),
  completion_tokens: tokens.output,
  total_tokens: promptTokens(tokens) + tokens.output,
  prompt_tokens_details: {
    cached_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
  },
  completion_tokens_details: { reasoning_tokens: tokens.reasoning },
});

function messageOf({ parts }: ModelAnswer) {
  const tools = parts.flatMap((part) => (part.type === "tool" ? [toolOf(part, textOf(part))] : []));
  const joined = (type: AnswerPart["type"]): string | null => {
    const texts = parts.flatMap((part) => (part.type === type && "pieces" in part ? [textOf(part)] : []));
    return texts.length === 0 ? null : texts.join("");
  };
  const reasoning = joined("thinking");
  return {
    role: "assistant",
    content: joined("text"),
    refusal: joined("refusal"),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(tools.length === 0 ? {} : { tool_calls: tools }),
  };
}

const toolOf = ({ id, name }: { readonly id: string; readonly name: string }, json: string) => ({
  id,
  type: "function",
  function: { name, arguments: json },
});

function deltasOf({ parts }: ModelAnswer): object[] {
  let tools = -1;
  return parts.flatMap((part): object[] => {
    if (part.type === "text") return part.pieces.map((content) => ({ content }));
    if (part.type === "refusal") return part.pieces.map((refusal) => ({ refusal }));
    if (part.type === "thinking") return part.pieces.map((piece) => ({ reasoning_content: piece }));
    // A chat completion has no place for redacted thinking.
    if (part.type !== "tool") return [];
    tools += 1;
    const index = tools;
    return [
      { tool_calls: [{ index, ...toolOf(part, "") }] },
      ...part.pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
}
