import { describe, expect, it } from "vitest";
import { readImpossibleUsage, readPartialUsage, readUsage, toldIn } from "./usage.ts";

const counts = { prompt_tokens: 32, completion_tokens: 9 };

describe("a usage that a provider reported", () => {
  it.each([
    ["reasoning tokens beside the completion", 94, {}, { reasoning_tokens: 94 }, 32, 103],
    ["reasoning tokens inside it", 0, {}, { reasoning_tokens: 9 }, 32, 9],
    ["cached tokens beside the prompt", 120, { cached_tokens: 100, cache_write_tokens: 20 }, {}, 152, 9],
    ["cached tokens inside it", 0, { cached_tokens: 30 }, {}, 32, 9],
    ["both beside", 194, { cached_tokens: 100 }, { reasoning_tokens: 94 }, 132, 103],
    ["a total that nothing explains", 1_000, { cached_tokens: 30 }, { reasoning_tokens: 9 }, 32, 9],
    ["a total below the sum", -20, {}, {}, 32, 9],
  ])("counts %s inside, once", (_, surplus, prompt, completion, prompt_tokens, completion_tokens) => {
    const details = { prompt_tokens_details: prompt, completion_tokens_details: completion };
    expect(readUsage({ ...counts, total_tokens: 41 + surplus, ...details })).toEqual({
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      ...details,
    });
  });

  it.each([
    -1,
    1.5,
    1_000_000_001,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "5.0",
    "-5",
    "",
    "2000000000",
    null,
    undefined,
  ])("is no whole usage with a count of %s, and keeps the other count", (count) => {
    const prompt = { ...counts, completion_tokens: count };
    const completion = { ...counts, prompt_tokens: count };
    expect([readUsage(prompt), readUsage(completion)]).toEqual([undefined, undefined]);
    expect(readPartialUsage(prompt)).toEqual({ prompt_tokens: 32 });
    expect(readPartialUsage(completion)).toEqual({ completion_tokens: 9 });
    expect(readPartialUsage({ prompt_tokens: count, completion_tokens: count })).toBeUndefined();
  });

  it("has counts that are written as texts", () => {
    const details = {
      prompt_tokens_details: { cached_tokens: "30" },
      completion_tokens_details: { reasoning_tokens: "9" },
    };
    expect(readUsage({ prompt_tokens: "32", completion_tokens: "9", total_tokens: "41", ...details })).toEqual({
      ...counts,
      total_tokens: 41,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 9 },
    });
    expect(readPartialUsage({ completion_tokens: "9" })).toEqual({ completion_tokens: 9 });
  });
});

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
