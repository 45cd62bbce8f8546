import { readUsage, type Usage } from "../wire/usage.ts";

const tolerance = 10;

/**
 * The usage that a provider reported, or undefined when it cannot be believed: counts that are not whole, not from 0
 * to 10^9, or above ten times the bound that was held for. Undefined means that the caller has to estimate.
 */
export function plausibleUsage(
  reported: unknown,
  bound: { readonly prompt: number; readonly output: number },
): Usage | undefined {
  const usage = readUsage(reported);
  if (usage === undefined) return undefined;
  const believable =
    usage.prompt_tokens <= tolerance * bound.prompt && usage.completion_tokens <= tolerance * bound.output;
  return believable ? usage : undefined;
}
