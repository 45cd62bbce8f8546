import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { Effort, Thinking, ToolChoice, Turn } from "./messages-api.ts";
import { rejected } from "./rejected.ts";

/** How much the model is to think. */
export interface Reasoning {
  readonly thinking?: Thinking;
  readonly effort?: Effort;
}

/** What else of a request decides on thinking. */
export interface ThinkingContext {
  readonly style: "adaptive" | "budget";
  /** The cap on the output, which thinking counts against. */
  readonly maxTokens: number;
  readonly choice: ToolChoice | undefined;
  readonly turns: readonly Turn[];
}

const efforts: ReadonlyMap<string, { readonly effort: Effort; readonly share: number }> = new Map([
  ["minimal", { effort: "low", share: 0.1 }],
  ["low", { effort: "low", share: 0.2 }],
  ["medium", { effort: "medium", share: 0.5 }],
  ["high", { effort: "high", share: 0.8 }],
  ["xhigh", { effort: "xhigh", share: 0.9 }],
  ["max", { effort: "max", share: 0.95 }],
]);

const smallestBudget = 1_024;

/**
 * Turns `reasoning_effort` into thinking. The API refuses to think where a tool is forced, and in the budget style
 * where the results of tools come back without the thinking that led to the calls; there the model answers without.
 * Follows https://platform.claude.com/docs/en/build-with-claude/thinking
 */
export function toReasoning(request: ChatCompletionRequest, context: ThinkingContext): Reasoning {
  const { reasoning_effort: asked } = request;
  if (asked == null) return {};
  if (asked === "none") return { thinking: { type: "disabled" } };
  const level = efforts.get(asked);
  if (level === undefined) {
    throw rejected(
      "reasoning_effort",
      `must be one of "none", ${[...efforts.keys()].map((each) => `"${each}"`).join(", ")}.`,
    );
  }
  const forced = context.choice?.type === "any" || context.choice?.type === "tool";
  if (context.style === "adaptive") {
    return { effort: level.effort, ...(forced ? {} : { thinking: { type: "adaptive", display: "summarized" } }) };
  }
  if (forced || endsWithResults(context.turns)) return {};
  return { thinking: { type: "enabled", budget_tokens: toBudget(level.share, context.maxTokens) } };
}

/** What the user or the system says behind the results of tools is in the same turn or in none. */
const endsWithResults = (turns: readonly Turn[]): boolean =>
  turns.at(-1)?.content.some(({ type }) => type === "tool_result") ?? false;

function toBudget(share: number, maxTokens: number): number {
  if (maxTokens > smallestBudget) return Math.max(smallestBudget, Math.floor(maxTokens * share));
  throw rejected(
    "max_tokens",
    `must be greater than ${smallestBudget} for this model to reason. Raise it, or lower the effort.`,
  );
}
