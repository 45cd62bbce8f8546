import { expect, it } from "vitest";
import { readImpossibleUsage, toldIn } from "./usage.ts";

it.each([
  [{ prompt_tokens: 1_000_000_001, completion_tokens: 5 }, [1_000_000_001, 5]],
  [{ prompt_tokens: 5, completion_tokens: 1e15 }, [5, 1e15]],
  [{ prompt_tokens: "2000000000" }, [2_000_000_000, 0]],
])("%j cannot be true", (usage, [prompt = 0, completion = 0]) => {
  const told = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  expect(toldIn(readImpossibleUsage(usage))).toEqual(told);
});

it.each([
  { prompt_tokens: 1_000_000_000, completion_tokens: 0 },
  { prompt_tokens: -5_000_000_000, completion_tokens: 1 },
  { prompt_tokens: 2_000_000_000.5, completion_tokens: 1 },
  { prompt_tokens: "many" },
  {},
  null,
])("%j is not impossible", (usage) => {
  expect(readImpossibleUsage(usage)).toBeUndefined();
});

it("is not what a provider calls so in a whole usage", () => {
  const whole = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect([toldIn({ ...whole, told: whole }), toldIn(undefined)]).toEqual([undefined, undefined]);
});
