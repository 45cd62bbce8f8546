import { expect, it } from "vitest";
import { fitThinkingBudgets } from "./thinking-budgets.ts";

it.each([
  ["thinking", { type: "enabled", budget_tokens: 4_000 }, { type: "enabled", budget_tokens: 3_999 }],
  ["reasoning", { max_tokens: 9_000, exclude: true }, { max_tokens: 3_999, exclude: true }],
  ["thinking_budget", 5_000, 3_999],
  ["thinking_config", { thinking_budget: 4_001 }, { thinking_budget: 3_999 }],
])("a budget in %s that is not below the cap becomes one token less", (name, value, fitted) => {
  expect(fitThinkingBudgets({ [name]: value }, 4_000)).toEqual([{ name, value: fitted }]);
  expect(fitThinkingBudgets({ [name]: value }, 1_024)).toEqual([{ name, value: undefined }]);
  expect(fitThinkingBudgets({ [name]: value }, 1_025)).toMatchObject([{ name, value: expect.anything() }]);
  expect(fitThinkingBudgets({ [name]: value }, 10_000)).toEqual([]);
});

it("a request that states no budget keeps its members", () => {
  const request = { thinking: { type: "adaptive" }, reasoning: { effort: "high" }, thinking_config: null };
  expect(fitThinkingBudgets(request, 10)).toEqual([]);
});
