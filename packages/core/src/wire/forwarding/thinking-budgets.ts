import type { MemberChange } from "../edits.ts";
import { isJsonObject } from "../json.ts";

/**
 * Where a request states a budget of thinking tokens, which must be below its output cap: a member, and the one inside it.
 * Follows https://platform.claude.com/docs/en/build-with-claude/extended-thinking,
 * https://openrouter.ai/docs/use-cases/reasoning-tokens, https://help.aliyun.com/zh/model-studio/deep-thinking and
 * https://ai.google.dev/gemini-api/docs/openai
 */
const places: readonly (readonly [member: string, inner: string | undefined])[] = [
  ["thinking", "budget_tokens"],
  ["reasoning", "max_tokens"],
  ["thinking_budget", undefined],
  ["thinking_config", "thinking_budget"],
];

/** The lowest budget that Claude accepts. Below it, the request goes without thinking. */
const leastBudget = 1_024;

/**
 * Returns the changes to a request whose output cap was lowered to `cap`: a thinking budget that is not below it becomes one
 * token less, and a member whose budget would be below 1,024 is removed.
 */
export function fitThinkingBudgets(request: Readonly<Record<string, unknown>>, cap: number): readonly MemberChange[] {
  return places.flatMap(([name, inner]): readonly MemberChange[] => {
    const value = request[name];
    const budget = inner === undefined ? value : isJsonObject(value) ? value[inner] : undefined;
    if (typeof budget !== "number" || budget < cap) return [];
    if (cap - 1 < leastBudget) return [{ name, value: undefined }];
    return [{ name, value: inner === undefined || !isJsonObject(value) ? cap - 1 : { ...value, [inner]: cap - 1 } }];
  });
}
