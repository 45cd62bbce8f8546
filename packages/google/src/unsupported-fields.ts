import type { ChatCompletionRequest } from "@tollgate/core";
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
const usual: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["logprobs", false],
  ["parallel_tool_calls", true],
  ["store", false],
  ["service_tier", "auto"],
]);

/** Throws for the first field that the API could only ignore, though the client may count on it. */
export function refuseUnsupported(request: ChatCompletionRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (value == null || mapped.has(field) || withoutEffect.has(field) || usual.get(field) === value) continue;
    throw refused(field, "This model does not take this field. Leave it out.");
  }
}
