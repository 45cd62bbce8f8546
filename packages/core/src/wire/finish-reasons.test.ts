import { describe, expect, it } from "vitest";
import { type FinishReason, finishReasonOf } from "./answer-form.ts";

/** The words that each upstream documents, besides those that mean the same at OpenAI. */
const documented: readonly (readonly [
  upstream: string,
  page: string,
  words: Readonly<Record<string, FinishReason>>,
])[] = [
  [
    "OpenAI, Azure, Groq, Fireworks, OpenRouter, Qwen, MiniMax, Perplexity and llama.cpp",
    "https://platform.openai.com/docs/api-reference/chat/object",
    {
      stop: "stop",
      length: "length",
      tool_calls: "tool_calls",
      function_call: "function_call",
      content_filter: "content_filter",
    },
  ],
  ["Together", "https://docs.together.ai/reference/chat-completions-1", { eos: "stop" }],
  [
    "xAI",
    "https://docs.x.ai/docs/api-reference#chat-completions",
    { end_turn: "stop", max_len: "length", max_context: "length", time_limit: "length" },
  ],
  [
    "DeepSeek",
    "https://api-docs.deepseek.com/api/create-chat-completion",
    { insufficient_system_resource: "interrupted" },
  ],
  ["Mistral", "https://docs.mistral.ai/api/endpoint/chat", { model_length: "length", error: "interrupted" }],
  [
    "Z.ai",
    "https://docs.z.ai/api-reference/llm/chat-completion",
    { sensitive: "content_filter", model_context_window_exceeded: "length", network_error: "interrupted" },
  ],
  [
    "Cohere",
    "https://docs.cohere.com/reference/chat",
    {
      COMPLETE: "stop",
      STOP_SEQUENCE: "stop",
      MAX_TOKENS: "length",
      TOOL_CALL: "tool_calls",
      ERROR: "interrupted",
      TIMEOUT: "interrupted",
      ERROR_TOXIC: "content_filter",
      ERROR_LIMIT: "length",
      USER_CANCEL: "interrupted",
    },
  ],
  [
    "vLLM and SGLang",
    "https://docs.vllm.ai/en/latest/api/vllm/v1/engine/ (FinishReason)",
    { abort: "interrupted", error: "interrupted", repetition: "length" },
  ],
  ["Ollama", "https://docs.ollama.com/api/chat", { unload: "interrupted" }],
  [
    "LM Studio",
    "https://lmstudio.ai/docs/typescript/api-reference/llm-prediction-stop-reason",
    {
      eosFound: "stop",
      stopStringFound: "stop",
      toolCalls: "tool_calls",
      maxPredictedTokensReached: "length",
      contextLengthReached: "length",
      userStopped: "interrupted",
      modelUnloaded: "interrupted",
      failed: "interrupted",
    },
  ],
  [
    "Claude",
    "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons",
    {
      end_turn: "stop",
      stop_sequence: "stop",
      tool_use: "tool_calls",
      max_tokens: "length",
      pause_turn: "length",
      refusal: "content_filter",
      model_context_window_exceeded: "length",
    },
  ],
  [
    "Gemini, as LiteLLM and others pass it on",
    "https://ai.google.dev/api/generate-content#FinishReason",
    {
      STOP: "stop",
      MAX_TOKENS: "length",
      SAFETY: "content_filter",
      RECITATION: "content_filter",
      LANGUAGE: "content_filter",
      BLOCKLIST: "content_filter",
      PROHIBITED_CONTENT: "content_filter",
      SPII: "content_filter",
      IMAGE_SAFETY: "content_filter",
      MALFORMED_FUNCTION_CALL: "interrupted",
      OTHER: "interrupted",
    },
  ],
  [
    "Bedrock, as LiteLLM passes it on",
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html",
    { content_filtered: "content_filter", guardrail_intervened: "content_filter" },
  ],
  [
    "Text Generation Inference",
    "https://huggingface.co/docs/text-generation-inference/reference/api_reference",
    { eos_token: "stop", stop_sequence: "stop" },
  ],
];

describe("finishReasonOf", () => {
  it.each(documented)("knows the words of %s, by %s", (_upstream, _page, words) => {
    expect(Object.fromEntries(Object.keys(words).map((word) => [word, finishReasonOf(word)]))).toEqual(words);
  });

  it.each([
    ["MAX_OUTPUT_REACHED", "length"],
    ["blocked_by_policy", "content_filter"],
    ["gpu_failure", "interrupted"],
    ["done", "stop"],
    ["constructor", "stop"],
  ] as const)("reads what a word that nobody documents says: %s is %s", (word, reason) => {
    expect(finishReasonOf(word)).toBe(reason);
  });

  it("knows an upstream's own words, whatever their case, but not for one of OpenAI's", () => {
    expect(finishReasonOf("DONE", { done: "length" })).toBe("length");
    expect(finishReasonOf("gpu_failure", { gpu_failure: "length" })).toBe("length");
    expect(finishReasonOf("stop", { stop: "length" })).toBe("stop");
  });
});
