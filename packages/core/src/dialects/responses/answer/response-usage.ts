import { isJsonObject } from "../../../wire/json.ts";
import { countByClass, type PartialUsage, readAnyUsage, type Usage } from "../../../wire/usage.ts";

/** The usage of a response. Follows https://platform.openai.com/docs/api-reference/responses/object */
export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

/** Translates a usage to that of a response. */
export function toResponseUsage(usage: Usage): ResponseUsage {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning } = countByClass(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite5m + cacheWrite1h },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: usage.total_tokens,
  };
}

/** Reads the usage of a response: whole if it has both counts, and else partial or undefined. */
export function readResponseUsage(value: unknown): Usage | PartialUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { input_tokens, input_tokens_details, output_tokens, output_tokens_details, total_tokens } = value;
  const usage = {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    ...(isJsonObject(input_tokens_details) ? { prompt_tokens_details: input_tokens_details } : {}),
    ...(isJsonObject(output_tokens_details) ? { completion_tokens_details: output_tokens_details } : {}),
  };
  return readAnyUsage(usage);
}
