import type { ProviderCapabilities } from "../ports/provider-adapter.ts";

/** What an upstream of OpenAI's shape does differently from OpenAI. Everything is optional; absent: as OpenAI, or not known. */
export interface UpstreamProfile extends Partial<Omit<ProviderCapabilities, "pricedFields" | "cancel" | "thoughts">> {
  /**
   * The member in which the thoughts of earlier answers go back with the message that they belong to. False: the upstream
   * refuses them. Absent: they are left out when a request in another API is translated.
   */
  readonly thoughts?: "reasoning_content" | "reasoning" | false;
  /** The ids of tool calls that it accepts: nine letters or digits. Absent: any. */
  readonly callIds?: "nine_alphanumeric";
  /** The most characters in the name of a tool. Longer names are shortened, and put back in answers. Absent: any number. */
  readonly toolNameLength?: number;
  /** The APIs that it has beside Chat Completions, at `/responses` and `/embeddings`. */
  readonly dialects?: readonly ("responses" | "embeddings")[];
}

/**
 * The listed upstreams. Each line follows the page above it. Where two pages differ, the line is what fails neither: a
 * member that is not sent, or a place of usage that is read only if OpenAI's has no count.
 */
export const upstreamProfiles = {
  // https://platform.openai.com/docs/api-reference/chat/create: names of functions, max_completion_tokens
  openai: { outputCapField: "max_completion_tokens", toolNameLength: 64, dialects: ["responses", "embeddings"] },
  // https://learn.microsoft.com/azure/ai-foundry/openai/reference: the same
  azure: { outputCapField: "max_completion_tokens", toolNameLength: 64 },
  // https://api-docs.deepseek.com/api/create-chat-completion: usage, names of functions
  // https://api-docs.deepseek.com/guides/thinking_mode: thoughts go back with tool calls, else 400
  deepseek: {
    answers: { cachedTokens: ["prompt_cache_hit_tokens"] },
    thoughts: "reasoning_content",
    toolNameLength: 64,
  },
  // https://platform.kimi.ai/docs/api/chat: usage, names of functions
  // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model: thoughts go back with tool calls
  moonshot: { answers: { cachedTokens: ["cached_tokens"] }, thoughts: "reasoning_content", toolNameLength: 64 },
  // https://docs.mistral.ai/api/endpoint/chat: further members are 422; the last frame of each stream has the usage
  // https://docs.mistral.ai/capabilities/function_calling: ids of calls
  // The cached tokens follow Mistral's own TypeScript client and the AI SDK, which name three places.
  mistral: {
    streamUsage: false,
    answers: { cachedTokens: ["num_cached_tokens", "prompt_token_details.cached_tokens"] },
    thoughts: false,
    callIds: "nine_alphanumeric",
    refusedFields: ["logit_bias", "logprobs", "seed", "top_logprobs", "user", "verbosity"],
  },
  // https://console.groq.com/docs/openai: fields that are 400
  // https://console.groq.com/docs/api-reference#chat-create: `reasoning` of an assistant's message, names of functions
  groq: { thoughts: "reasoning", toolNameLength: 64, refusedFields: ["logit_bias", "logprobs", "top_logprobs"] },
  // https://docs.x.ai/docs/api-reference#chat-completions: usage as OpenAI, with reasoning beside the completion
  xai: {},
  // https://docs.together.ai/reference/chat-completions-1: the page shows no cached tokens, but answers have them at the top
  together: { answers: { cachedTokens: ["cached_tokens"] } },
  // https://docs.fireworks.ai/guides/reasoning: thoughts go back
  fireworks: { thoughts: "reasoning_content" },
  // https://openrouter.ai/docs/use-cases/reasoning-tokens: thoughts go back as `reasoning`
  openrouter: { thoughts: "reasoning" },
  // https://www.alibabacloud.com/help/en/model-studio/context-cache: tokens of explicit caches
  // https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api: encoding_format is float only
  qwen: {
    answers: { cacheWriteTokens: ["prompt_tokens_details.cache_creation_input_tokens"] },
    base64Vectors: false,
  },
  // https://docs.z.ai/guides/capabilities/thinking-mode: thoughts go back with the results of tools
  zai: { thoughts: "reasoning_content", toolNameLength: 64 },
  // https://platform.minimax.io/docs/api-reference/text-openai-api: thoughts are in the content, and so go back with it
  minimax: {},
  // https://docs.perplexity.ai/api-reference/chat-completions-post: usage
  perplexity: { answers: { reasoningTokens: ["reasoning_tokens"] } },
  // https://docs.cohere.com/docs/compatibility-api: parameters that are not supported
  cohere: { refusedFields: ["logit_bias", "top_logprobs"] },
  // https://docs.ollama.com/api/openai-compatibility, and the type Message in openai/openai.go of its source: `reasoning`
  ollama: { thoughts: "reasoning" },
  // https://docs.vllm.ai/en/latest/features/reasoning_outputs: `reasoning`, which was `reasoning_content` before 0.11
  vllm: { thoughts: "reasoning" },
  // https://docs.sglang.ai/basic_usage/openai_api_completions, and UsageInfo in its source: reasoning tokens at the top
  sglang: { answers: { reasoningTokens: ["reasoning_tokens"] }, thoughts: "reasoning_content" },
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: thoughts are in `reasoning_content`
  llamacpp: { thoughts: "reasoning_content" },
  // https://lmstudio.ai/docs/developer/openai-compat: nothing of this
  lmstudio: {},
  // https://docs.litellm.ai/docs/completion/prompt_caching: cached tokens also under Anthropic's names
  // https://docs.litellm.ai/docs/reasoning_content: thoughts go back
  litellm: {
    answers: {
      cachedTokens: ["cache_read_input_tokens"],
      cacheWriteTokens: ["prompt_tokens_details.cache_creation_tokens", "cache_creation_input_tokens"],
    },
    thoughts: "reasoning_content",
  },
} as const satisfies Readonly<Record<string, UpstreamProfile>>;

/** The name of a listed upstream. */
export type UpstreamName = keyof typeof upstreamProfiles;

/** The hosts of listed upstreams. Their subdomains count too. Servers that hosts run themselves have no host of their own. */
const hosts: Readonly<Record<string, UpstreamName>> = {
  "api.openai.com": "openai",
  "openai.azure.com": "azure",
  "cognitiveservices.azure.com": "azure",
  "api.deepseek.com": "deepseek",
  "api.moonshot.ai": "moonshot",
  "api.moonshot.cn": "moonshot",
  "api.mistral.ai": "mistral",
  "codestral.mistral.ai": "mistral",
  "api.groq.com": "groq",
  "api.x.ai": "xai",
  "api.together.xyz": "together",
  "api.together.ai": "together",
  "api.fireworks.ai": "fireworks",
  "openrouter.ai": "openrouter",
  "dashscope.aliyuncs.com": "qwen",
  "dashscope-intl.aliyuncs.com": "qwen",
  "dashscope-us.aliyuncs.com": "qwen",
  "api.z.ai": "zai",
  "open.bigmodel.cn": "zai",
  "api.minimax.io": "minimax",
  "api.minimaxi.com": "minimax",
  "api.perplexity.ai": "perplexity",
  "api.cohere.ai": "cohere",
  "api.cohere.com": "cohere",
  "ollama.com": "ollama",
};

/** Returns the profile of the upstream at a host name. Empty for one that is not listed. */
export function profileAt(hostname: string): UpstreamProfile {
  const host = Object.keys(hosts).find((each) => hostname === each || hostname.endsWith(`.${each}`));
  const name = host === undefined ? undefined : hosts[host];
  return name === undefined ? {} : upstreamProfiles[name];
}
