import { type ChatCompletionRequest, ProviderError } from "@tollgate/core/provider";

/**
 * Creates the error for a request that the Messages API does not support. `param` is the path of the invalid member, and
 * `problem` completes the message to the client, which begins with that path.
 */
export const rejected = (param: string, problem: string): ProviderError =>
  new ProviderError(
    "rejected",
    `The Messages API does not accept \`${param}\` of this request. The client has to change it.`,
    {
      param,
      clientMessage: `\`${param}\` ${problem}`,
    },
  );

const mapped: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning_effort",
  "response_format",
  "user",
  "safety_identifier",
  "metadata",
]);

/** Fields that the gateway never sends to this provider. Any other unknown field is rejected depending on its value. */
export const alwaysRefused: readonly string[] = [
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "functions",
];

/** Fields that guarantee nothing about the answer, so they can be dropped. */
const hints: ReadonlySet<string> = new Set(["stream_options", "seed", "prompt_cache_key", "prompt_cache_retention"]);

/** Default values, which have no effect. False, zero and empty values have none either. */
const defaults: ReadonlyMap<string, readonly unknown[]> = new Map([
  ["n", [1]],
  ["service_tier", ["auto", "default", "standard_only"]],
  ["verbosity", ["medium"]],
  ["function_call", ["auto", "none"]],
]);

/** Throws a ProviderError of the kind `rejected` for the first field that the Messages API does not support. */
export function refuseFields(request: ChatCompletionRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (value == null || mapped.has(field) || hints.has(field) || isDefault(field, value)) continue;
    throw rejected(field, "is not supported for this model. Leave it out.");
  }
}

function isDefault(field: string, value: unknown): boolean {
  if (value === false || value === 0 || defaults.get(field)?.includes(value) === true) return true;
  if (field === "modalities" && Array.isArray(value)) return value.every((each) => each === "text");
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
