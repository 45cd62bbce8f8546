import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { MessagesRequest, OutputConfig, ToolChoice, Turn } from "./messages-api.ts";
import type { ModelLimits } from "./model-limits.ts";
import { rejected } from "./rejected.ts";
import { isForced } from "./tools.ts";

type Reasoning = Pick<MessagesRequest, "thinking"> & Pick<OutputConfig, "effort">;

const efforts: ReadonlyMap<string, Pick<OutputConfig, "effort"> & { readonly share: number }> = new Map([
  ["minimal", { effort: "low", share: 0.1 }],
  ["low", { effort: "low", share: 0.2 }],
  ["medium", { effort: "medium", share: 0.5 }],
  ["high", { effort: "high", share: 0.8 }],
  ["xhigh", { effort: "xhigh", share: 0.9 }],
  ["max", { effort: "max", share: 0.95 }],
]);

const minBudget = 1_024;

/**
 * Maps `reasoning_effort` to thinking. `maxTokens` is the output cap, which includes thinking. The API rejects thinking if a tool is forced and, in the budget style, if tool
 * results are sent without the thinking that led to the calls, or if the output cap leaves no room for the lowest budget. In
 * these cases the model answers without thinking.
 * Follows https://platform.claude.com/docs/en/build-with-claude/thinking
 */
export function toReasoning(
  request: ChatCompletionRequest,
  context: {
    readonly style: "adaptive" | "budget";
    readonly maxTokens: number;
    readonly choice: ToolChoice | undefined;
    readonly turns: readonly Turn[];
    readonly limits: ModelLimits;
  },
): Reasoning {
  const { reasoning_effort: requested } = request;
  if (requested == null) return {};
  if (requested === "none") return toLeast(context.limits);
  const level = efforts.get(requested);
  if (level === undefined) {
    throw rejected(
      "reasoning_effort",
      `must be one of "none", ${[...efforts.keys()].map((each) => `"${each}"`).join(", ")}.`,
    );
  }
  const forced = isForced(context.choice);
  if (context.style === "adaptive" || context.limits.refusesBudget) {
    return { effort: level.effort, ...(forced ? {} : { thinking: { type: "adaptive", display: "summarized" } }) };
  }
  if (forced || endsWithResults(context.turns) || context.maxTokens <= minBudget) return {};
  return { thinking: { type: "enabled", budget_tokens: toBudget(level.share, context.maxTokens) } };
}

/** A model that always thinks is asked to think as little as it can. */
function toLeast({ leastThinking }: ModelLimits): Reasoning {
  return leastThinking === "low_effort" ? { effort: "low" } : { thinking: { type: leastThinking ?? "disabled" } };
}

/** Checks the last turn only: a user message after tool results is part of their turn, and a system message is in no turn. */
const endsWithResults = (turns: readonly Turn[]): boolean =>
  turns.at(-1)?.content.some(({ type }) => type === "tool_result") ?? false;

const toBudget = (share: number, maxTokens: number): number => Math.max(minBudget, Math.floor(maxTokens * share));
