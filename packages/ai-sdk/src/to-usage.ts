import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "@tollgate/core/provider";

/** Maps the usage of a model to a completion's. Returns undefined if the input or output tokens are unknown. */
export function toUsage({ inputTokens: input, outputTokens: output }: LanguageModelV3Usage): Usage | undefined {
  const prompt = input.total ?? sum([input.noCache, input.cacheRead, input.cacheWrite]);
  const completion = output.total ?? sum([output.text, output.reasoning]);
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      ...(input.cacheRead === undefined ? {} : { cached_tokens: input.cacheRead }),
      ...(input.cacheWrite === undefined ? {} : { cache_write_tokens: input.cacheWrite }),
    },
    completion_tokens_details: output.reasoning === undefined ? {} : { reasoning_tokens: output.reasoning },
  };
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  // A negative count must not lower the sum, which is what is charged.
  const known = counts.filter((count) => count !== undefined && count >= 0);
  return known.length === 0 ? undefined : known.reduce<number>((total, count = 0) => total + count, 0);
}
