/** How an answer ended: OpenAI's five reasons, or `interrupted` for an answer that the upstream gave up, which is a failure. */
export type FinishReason = "stop" | "length" | "tool_calls" | "function_call" | "content_filter" | "interrupted";

/** The words of an upstream for its reasons, in lower case. Those of the listed upstreams are known. */
export type FinishReasons = Readonly<Record<string, FinishReason>>;

/** OpenAI's own words: https://platform.openai.com/docs/api-reference/chat/object */
const openaiWords: ReadonlySet<unknown> = new Set<FinishReason>([
  "stop",
  "length",
  "tool_calls",
  "function_call",
  "content_filter",
]);

/** True for a reason that every client of chat completions knows. */
export const isFinishReason = (word: unknown): boolean => openaiWords.has(word);

/** The words of the listed upstreams, in lower case. No two of them use one word for different things. */
const words: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ...[...openaiWords].map((word) => [word, word] as [string, FinishReason]),
  // Together: https://docs.together.ai/reference/chat-completions-1
  ["eos", "stop"],
  // Text Generation Inference: https://huggingface.co/docs/text-generation-inference/reference/api_reference
  ["eos_token", "stop"],
  // xAI, besides OpenAI's: https://docs.x.ai/docs/api-reference#chat-completions
  ["end_turn", "stop"],
  ["max_len", "length"],
  ["max_context", "length"],
  ["time_limit", "length"],
  // DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion
  ["insufficient_system_resource", "interrupted"],
  // Mistral: https://docs.mistral.ai/api/#tag/chat
  ["model_length", "length"],
  ["error", "interrupted"],
  // Z.ai: https://docs.z.ai/api-reference/llm/chat-completion
  ["sensitive", "content_filter"],
  ["model_context_window_exceeded", "length"],
  ["network_error", "interrupted"],
  // Cohere: https://docs.cohere.com/reference/chat
  ["complete", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["tool_call", "tool_calls"],
  ["error_toxic", "content_filter"],
  ["error_limit", "length"],
  ["user_cancel", "interrupted"],
  ["timeout", "interrupted"],
  // vLLM: https://docs.vllm.ai/en/latest/api/vllm/v1/engine/ (FinishReason), and SGLang, which has `abort` too
  ["abort", "interrupted"],
  ["repetition", "length"],
  // Ollama, for a request that only loads or unloads the model: https://docs.ollama.com/api/chat
  ["load", "interrupted"],
  ["unload", "interrupted"],
  // LM Studio: https://lmstudio.ai/docs/typescript/api-reference/llm-prediction-stop-reason
  ["eosfound", "stop"],
  ["stopstringfound", "stop"],
  ["toolcalls", "tool_calls"],
  ["maxpredictedtokensreached", "length"],
  ["contextlengthreached", "length"],
  ["userstopped", "interrupted"],
  ["modelunloaded", "interrupted"],
  ["failed", "interrupted"],
  // What LiteLLM and OpenRouter pass on of Claude, Gemini and Bedrock
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
  ["content_filtered", "content_filter"],
  ["guardrail_intervened", "content_filter"],
  ["pause_turn", "length"],
  ["recitation", "content_filter"],
  ["spii", "content_filter"],
  ["language", "content_filter"],
  ["other", "interrupted"],
]);

/** What a word that is not listed says. An answer must not look complete that may not be. */
const patterns: readonly (readonly [RegExp, FinishReason])[] = [
  [/error|abort|cancel|interrupt|timeout|timed|fail|malformed|unavailable|overload|resource/, "interrupted"],
  [/filter|safety|sensitive|moderat|refus|block|prohibit|guardrail|policy|toxic/, "content_filter"],
  [/max|limit|length|truncat|context|budget|incomplete/, "length"],
];

/**
 * Returns the reason that an upstream's word means. `own` has further words of this upstream. An unknown word that names neither
 * an error, a filter nor a limit is "stop".
 */
export function finishReasonOf(word: string, own?: FinishReasons): FinishReason {
  const folded = word.slice(0, longest).toLowerCase();
  return (
    words.get(folded) ?? ownReason(own, folded) ?? patterns.find(([pattern]) => pattern.test(folded))?.[1] ?? "stop"
  );
}

const ownReason = (own: FinishReasons | undefined, word: string): FinishReason | undefined =>
  own !== undefined && Object.hasOwn(own, word) ? own[word] : undefined;

/** Longer than any reason. */
const longest = 100;
