import type { Model } from "../../../ports/model.ts";
import type { MessagesSettings } from "./messages-schema.ts";

/** The levels of effort in their order, with the share of the output that a thinking budget of this level is. */
const levels: readonly (readonly [level: string, share: number])[] = [
  ["none", 0],
  ["minimal", 0.1],
  ["low", 0.2],
  ["medium", 0.5],
  ["high", 0.8],
  ["xhigh", 0.9],
  ["max", 0.95],
];

type Settings = Pick<MessagesSettings, "thinking" | "output_config" | "max_tokens">;

/**
 * Maps `thinking` and `output_config.effort` to the nearest effort level of a model. Returns undefined if the request
 * leaves the effort to the model, or if the model does not reason.
 * Follows https://platform.claude.com/docs/en/build-with-claude/effort
 */
export function toReasoningEffort(request: Settings, reasoning: Model["reasoning"]): string | undefined {
  if (reasoning === undefined) return undefined;
  const wanted = wantedLevel(request);
  if (wanted === "default") return reasoning.defaultEffort;
  return wanted === undefined ? undefined : nearest(wanted, reasoning.effortLevels);
}

/** True if the request asks the model to think, or how much. */
export const asksToThink = (request: Settings): boolean => {
  const wanted = wantedLevel(request);
  return wanted !== undefined && wanted !== "none";
};

function wantedLevel({ thinking, output_config: config, max_tokens: most }: Settings): string | undefined {
  const effort = config?.effort;
  if (thinking?.type === "disabled") return "none";
  const budget = thinking?.budget_tokens;
  if (thinking?.type === "enabled" && budget != null && most != null) return levelOfBudget(budget / most);
  return effort ?? (thinking == null ? undefined : "default");
}

function levelOfBudget(share: number): string {
  const [, ...thinking] = levels;
  const distances = thinking.map(([level, each]) => ({ level, distance: Math.abs(each - share) }));
  return distances.reduce((best, each) => (each.distance < best.distance ? each : best)).level;
}

/** Returns the level itself if the model has it, else the nearest one, and the lower of two equally near ones. */
function nearest(wanted: string, available: readonly string[]): string | undefined {
  if (available.includes(wanted)) return wanted;
  const rank = rankOf(wanted);
  // A request to think never becomes one not to.
  const eligible = available.filter((level) => rankOf(level) >= 0 && (level !== "none" || available.length === 1));
  const ranked = eligible.sort((a, b) => rankOf(a) - rankOf(b));
  if (rank < 0 || ranked.length === 0) return undefined;
  return ranked.reduce((best, level) =>
    Math.abs(rankOf(level) - rank) < Math.abs(rankOf(best) - rank) ? level : best,
  );
}

const rankOf = (level: string): number => levels.findIndex(([name]) => name === level);
