import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { rejected } from "./rejected.ts";

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

/** What the gateway is told, so that it need not ask; every other field that is not known is refused by its value. */
export const alwaysRefused: readonly string[] = [
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "functions",
];

/** Fields that promise nothing about the answer, so to leave them out breaks no promise. */
const hints: ReadonlySet<string> = new Set(["stream_options", "seed", "prompt_cache_key", "prompt_cache_retention"]);

/** What a field says when it asks for nothing special; false, zero and what is empty never do. */
const usual: ReadonlyMap<string, readonly unknown[]> = new Map([
  ["n", [1]],
  ["service_tier", ["auto", "default", "standard_only"]],
  ["verbosity", ["medium"]],
  ["function_call", ["auto", "none"]],
]);

/** Throws a ProviderError of the kind `rejected` for the first field that asks for what the Messages API cannot do. */
export function refuseFields(request: ChatCompletionRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (value == null || mapped.has(field) || hints.has(field) || isUsual(field, value)) continue;
    throw rejected(field, "is not supported for this model. Leave it out.");
  }
}

function isUsual(field: string, value: unknown): boolean {
  if (value === false || value === 0 || usual.get(field)?.includes(value) === true) return true;
  if (field === "modalities" && Array.isArray(value)) return value.every((each) => each === "text");
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
