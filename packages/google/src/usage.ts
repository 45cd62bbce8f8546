import type { Usage } from "@tollgate/core/provider";
import { isObject } from "./json.ts";

const billed = ["toolUsePromptTokenCount", "thoughtsTokenCount", "candidatesTokenCount"];

/**
 * Maps `usageMetadata`. Returns undefined if the prompt count is absent or any billed count is invalid. The API omits
 * counts of zero. Tool use tokens count as prompt tokens, and thoughts as completion tokens.
 */
export function toUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata)) return undefined;
  const count = (name: string): number | undefined => {
    const value = metadata[name];
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const prompt = count("promptTokenCount");
  if (prompt === undefined || billed.some((name) => metadata[name] != null && count(name) === undefined))
    return undefined;
  const promptTokens = prompt + (count("toolUsePromptTokenCount") ?? 0);
  const cached = count("cachedContentTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const completionTokens = (count("candidatesTokenCount") ?? 0) + (thoughts ?? 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}
