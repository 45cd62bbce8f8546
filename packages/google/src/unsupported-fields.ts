import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { refused } from "./refused.ts";

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

/** What the gateway is told, so that it need not ask; every other field that is not known is refused by its value. */
export const alwaysRefused: readonly string[] = ["logit_bias", "logprobs", "top_logprobs", "functions"];

/** They say who asks or how to file it, and change nothing of the answer. */
const withoutEffect: ReadonlySet<string> = new Set([
  "user",
  "metadata",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
]);

/** Values that ask for what the API does anyway. */
const usual: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ["parallel_tool_calls", [true]],
  ["service_tier", ["auto", "default", "standard_only"]],
]);

/** Throws for the first field that the API could only ignore, though the client may count on it. */
export function refuseUnsupported(request: ChatCompletionRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (value == null || mapped.has(field) || withoutEffect.has(field) || isUsual(field, value)) continue;
    throw refused(field, "This model does not support this field. Leave it out.");
  }
}

const meantWhenEmpty: ReadonlySet<string> = new Set(["parallel_tool_calls", "functions"]);

/** False and an empty list ask for nothing, unless they take away what the API does anyway. */
function isUsual(field: string, value: unknown): boolean {
  const values = usual.get(field);
  if (values?.includes(value) === true) return true;
  return !meantWhenEmpty.has(field) && (value === false || (Array.isArray(value) && value.length === 0));
}
