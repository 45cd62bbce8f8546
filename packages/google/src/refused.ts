import { type ChatCompletionRequest, ProviderError } from "@tollgate/core/provider";

/**
 * Creates the error for a request that the Gemini API does not support. `param` is the path of the field. `message` tells
 * the client what to do; it must not quote values of the request.
 */
export const refused = (param: string, message: string): ProviderError =>
  new ProviderError("rejected", `The Gemini API does not accept \`${param}\` of this request. ${message}`, {
    clientMessage: message,
    param,
  });

const mapped: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "temperature",
  "top_p",
  "top_k",
  "n",
  "stop",
  "seed",
  "max_tokens",
  "max_completion_tokens",
  "presence_penalty",
  "frequency_penalty",
  "tools",
  "tool_choice",
  "reasoning_effort",
  "response_format",
]);

/** Fields that the gateway never sends to this provider. Any other unknown field is rejected depending on its value. */
export const alwaysRefused: readonly string[] = ["logit_bias", "logprobs", "top_logprobs", "functions"];

/** Fields that identify the user or the request and do not affect the answer. */
const withoutEffect: ReadonlySet<string> = new Set([
  "user",
  "metadata",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
]);

/** Values that request the API's default behaviour. */
const defaults: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ["parallel_tool_calls", [true]],
  ["service_tier", ["auto", "default", "standard_only"]],
]);

/** Throws a ProviderError of the kind `rejected` for the first field that the API does not support. */
export function refuseUnsupported(request: ChatCompletionRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (value == null || mapped.has(field) || withoutEffect.has(field) || isDefault(field, value)) continue;
    throw refused(field, "This model does not support this field. Leave it out.");
  }
}

const significantWhenEmpty: ReadonlySet<string> = new Set(["parallel_tool_calls", "functions"]);

/** False and an empty array have no effect, unless they turn off something that the API does by default. */
function isDefault(field: string, value: unknown): boolean {
  const values = defaults.get(field);
  if (values?.includes(value) === true) return true;
  return !significantWhenEmpty.has(field) && (value === false || (Array.isArray(value) && value.length === 0));
}
