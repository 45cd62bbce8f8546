import { isJsonObject } from "./json.ts";
import { isComplete, isTokenCount, type PartialUsage, readPartialUsage, readUsage, type Usage } from "./usage.ts";

/** A usage that cannot be true. No count of it is charged. */
export interface ImpossibleUsage extends PartialUsage {
  readonly prompt_tokens: undefined;
  readonly completion_tokens: undefined;
  /** The counts as the provider told them. */
  readonly told: Usage;
}

/** Returns a usage if it has more than 10^9 tokens of a kind, and undefined for any other, also for an invalid one. */
export function readImpossibleUsage(value: unknown): ImpossibleUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = countOf(value["prompt_tokens"]);
  const completion = countOf(value["completion_tokens"]);
  if (isTokenCount(prompt) && isTokenCount(completion)) return undefined;
  const told = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { prompt_tokens: undefined, completion_tokens: undefined, told };
}

/** Returns what a reported usage tells: both counts, counts that cannot be true, or one count. Undefined if it tells nothing. */
export const readAnyUsage = (value: unknown): Usage | PartialUsage | undefined =>
  readUsage(value) ?? readImpossibleUsage(value) ?? readPartialUsage(value);

/** Returns the counts of a usage that cannot be true, and undefined for any other usage. */
export const toldIn = (usage: Usage | PartialUsage | undefined): Usage | undefined =>
  usage === undefined || isComplete(usage) ? undefined : usage.told;

/** A missing or invalid count is none. Some providers write counts as text. */
function countOf(value: unknown): number {
  const count = typeof value === "string" && /^\d{1,20}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : 0;
}
