import type { Usage } from "../wire/usage.ts";

const tolerance = 10;

/**
 * The usage that a provider reported, or undefined when it cannot be believed: counts above ten times the bound that
 * was held for. Undefined means that the caller has to estimate.
 */
export function plausibleUsage(
  usage: Usage | undefined,
  bound: { readonly prompt: number; readonly output: number },
): Usage | undefined {
  if (usage === undefined) return undefined;
  const believable =
    usage.prompt_tokens <= tolerance * bound.prompt && usage.completion_tokens <= tolerance * bound.output;
  return believable ? usage : undefined;
}
