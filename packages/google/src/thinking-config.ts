import type { ThinkingConfig } from "./gemini-request.ts";
import { isPro, thinkingKind } from "./model-generation.ts";
import { refused } from "./refused.ts";

const levels: ReadonlyMap<string, NonNullable<ThinkingConfig["thinkingLevel"]>> = new Map([
  ["minimal", "MINIMAL"],
  ["low", "LOW"],
  ["medium", "MEDIUM"],
  ["high", "HIGH"],
]);

/** In tokens. */
const budgets: ReadonlyMap<string, number> = new Map([
  ["minimal", 1_024],
  ["low", 1_024],
  ["medium", 8_192],
  ["high", 24_576],
]);

/**
 * Maps `reasoning_effort` to the thinking level or budget in Google's own table. Throws a ProviderError of the kind
 * `rejected` for an unsupported effort. Follows https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export function toThinkingConfig(effort: string, model: string, includeThoughts: boolean): ThinkingConfig {
  const kind = thinkingKind(model);
  if (kind === "none")
    throw refused("reasoning_effort", "This model does not support reasoning. Leave `reasoning_effort` out.");
  if (effort === "none") return withoutThinking(model);
  const summaries = includeThoughts ? { includeThoughts: true as const } : {};
  if (kind === "budget") return { thinkingBudget: lookUp(budgets, effort), ...summaries };
  const level = lookUp(levels, effort);
  return { thinkingLevel: level === "MINIMAL" && isPro(model) ? "LOW" : level, ...summaries };
}

function withoutThinking(model: string): ThinkingConfig {
  if (thinkingKind(model) === "budget" && !isPro(model)) return { thinkingBudget: 0 };
  throw refused("reasoning_effort", 'This model always reasons. Set `reasoning_effort` to "minimal" or "low".');
}

function lookUp<Value>(table: ReadonlyMap<string, Value>, effort: string): Value {
  const value = table.get(effort);
  if (value !== undefined) return value;
  throw refused(
    "reasoning_effort",
    '`reasoning_effort` must be one of "none", "minimal", "low", "medium", "high" for this model.',
  );
}
