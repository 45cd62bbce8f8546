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
 * The thinking that a `reasoning_effort` asks a model for, with the levels and budgets of Google's own table. Throws
 * for an effort that the model does not have. Follows https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export function toThinkingConfig(effort: string, model: string, includeThoughts: boolean): ThinkingConfig {
  const kind = thinkingKind(model);
  if (kind === "none")
    throw refused("reasoning_effort", "This model does not support reasoning. Leave `reasoning_effort` out.");
  if (effort === "none") return withoutThinking(model);
  const shown = includeThoughts ? { includeThoughts: true as const } : {};
  if (kind === "budget") return { thinkingBudget: known(budgets, effort), ...shown };
  const level = known(levels, effort);
  return { thinkingLevel: level === "MINIMAL" && isPro(model) ? "LOW" : level, ...shown };
}

function withoutThinking(model: string): ThinkingConfig {
  if (thinkingKind(model) === "budget" && !isPro(model)) return { thinkingBudget: 0 };
  throw refused("reasoning_effort", 'This model always reasons. Set `reasoning_effort` to "minimal" or "low".');
}

function known<Value>(table: ReadonlyMap<string, Value>, effort: string): Value {
  const value = table.get(effort);
  if (value !== undefined) return value;
  throw refused(
    "reasoning_effort",
    '`reasoning_effort` must be one of "none", "minimal", "low", "medium", "high" for this model.',
  );
}
