import { decodeUtf8 } from "./bytes.ts";

/**
 * Members that move a call, its data or its price, in the request of any dialect and at any level that is inspected. They
 * are accepted only if they request nothing, or if every target of the model supports and prices them. Spellings that
 * differ in case, `_` or `-` count as the same name. An object with one of these names in its schema does not refuse it.
 */
export const moving: readonly string[] = [
  // https://platform.openai.com/docs/api-reference/chat/create and /responses/create
  "background",
  "best_of",
  "conversation",
  "prediction",
  "service_tier",
  "store",
  "vector_store_ids",
  "web_search_options",
  // https://platform.claude.com/docs/en/api/beta/messages/create
  "billing_policy",
  "container",
  "fallback_credit_token",
  "inference_geo",
  "mcp_servers",
  "speed",
  "thread",
  "user_profile_id",
  "workspace_id",
  // Gemini: https://ai.google.dev/api/generate-content
  "cached_content",
  "candidate_count",
  // Azure: https://learn.microsoft.com/azure/ai-services/openai/references/on-your-data
  "data_sources",
  // OpenRouter: https://openrouter.ai/docs/api/reference/parameters. Its `debug` returns the request of the upstream.
  "debug",
  "models",
  "plugins",
  "preset",
  "provider",
  "route",
  "transforms",
  // xAI: https://docs.x.ai/docs/api-reference
  "deferred",
  "search_parameters",
  // Groq: https://console.groq.com/docs/api-reference
  "compound_custom",
  "search_settings",
  // Mistral: https://docs.mistral.ai/api and Cohere: https://docs.cohere.com/reference/chat
  "agent_id",
  "connectors",
  // Qwen: https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-openai-chat-completions
  "enable_code_interpreter",
  "enable_search",
  "search_options",
  // Together: https://docs.together.ai/reference/chat-completions, and DeepInfra: https://deepinfra.com/docs/advanced/webhooks
  "safety_model",
  "webhook",
  // Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
  "additional_model_request_fields",
  "guardrail_config",
  "performance_config",
  // vLLM: https://docs.vllm.ai/en/stable/serving/openai_compatible_server
  "ec_transfer_params",
  "kv_transfer_params",
  "num_return_sequences",
  "priority",
  "use_beam_search",
  "vllm_xargs",
  // SGLang, whose bootstrap members name another host: https://docs.sglang.ai/basic_usage/native_api.html
  "bootstrap_host",
  "bootstrap_port",
  "bootstrap_room",
  "custom_logit_processor",
  "lora_path",
  // NVIDIA NIM: https://docs.nvidia.com/nim, TGI: https://huggingface.co/docs/text-generation-inference
  "adapter_id",
  "nvext",
  // LM Studio: https://lmstudio.ai/docs/developer, llama.cpp: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  "draft_model",
  "id_slot",
  "integrations",
  "lora",
  // Caps on the output that take precedence over the one that is checked, at llama.cpp, Ollama and TGI.
  "max_new_tokens",
  "max_output_tokens",
  "n_predict",
  "num_predict",
  // LiteLLM: https://docs.litellm.ai/docs/completion/input
  "api_base",
  "api_key",
  "api_version",
  "base_url",
  "custom_llm_provider",
  "deployment_id",
  "guardrails",
  "mock_response",
  "model_list",
  "user_config",
  // Members whose value a library merges into the options of the call, so that it may hold any other member.
  "provider_options",
  "extra_body",
  "extra_headers",
  "extra_query",
  "fallbacks",
  // Files of the upstream's account belong to the host.
  "file_id",
  "file_ids",
];

/** The member that marks a prefix of a prompt for the cache of an upstream. */
export const cacheMember = "cache_control";

/** References to files, which are also refused inside of the objects that contents and messages contain. */
export const fileReferences: readonly string[] = ["file_id", "file_ids"];

/**
 * Members in which no reference is looked for: data that has the names of the client or of the model, and citations, with
 * which a client sends back an answer.
 */
export const neverInspected: readonly string[] = [
  "annotations",
  "arguments",
  "citations",
  "input",
  "input_schema",
  "logit_bias",
  "metadata",
  "parameters",
  "results",
  "schema",
];

/** Other names for the feature `response_format`. */
export const formatNames = [
  "guided_json",
  "guided_regex",
  "guided_choice",
  "guided_grammar",
  "structured_outputs",
  "json_schema",
] as const;

/** Other names for the feature `reasoning_effort`, in addition to `reasoning` and `thinking`. */
export const thinkingNames = ["enable_thinking", "thinking_budget", "thinking_config"] as const;

/** Service tiers that equal the default. */
const usualTiers: ReadonlySet<unknown> = new Set(["auto", "default", "standard_only"]);

/**
 * True for a value with which a member that can cost money requests nothing: false, null, an empty list, and the default
 * tiers of `service_tier`. Real clients send such values.
 */
export const isNoOp = (name: string, value: unknown): boolean =>
  value == null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (name === "service_tier" && usualTiers.has(value));

/** Longer than any of those values, including some white space. */
const longestNothing = 32;

/** Does the same check for a value in the bytes of a JSON text. */
export function isNoOpText(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > longestNothing) return false;
  try {
    return isNoOp(name, JSON.parse(decodeUtf8(bytes.subarray(start, end)) ?? "{}"));
  } catch {
    return false;
  }
}
