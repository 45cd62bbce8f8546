import type { Usage } from "@tollgate/core/provider";
import { isObject } from "./json.ts";

const billed = ["toolUsePromptTokenCount", "thoughtsTokenCount", "candidatesTokenCount"];

/**
 * The usage that `usageMetadata` tells, or undefined when it has no count of the prompt, or a count that cannot be. The
 * API leaves out counts of zero. What tools put into the prompt counts as prompt, and thoughts count as completion.
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
  const prompted = prompt + (count("toolUsePromptTokenCount") ?? 0);
  const cached = count("cachedContentTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const completed = (count("candidatesTokenCount") ?? 0) + (thoughts ?? 0);
  return {
    prompt_tokens: prompted,
    completion_tokens: completed,
    total_tokens: prompted + completed,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}
