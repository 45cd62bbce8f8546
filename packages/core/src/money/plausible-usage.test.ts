import { expect, it } from "vitest";
import { readUsage } from "../wire/usage.ts";
import { plausibleUsage } from "./plausible-usage.ts";

const bound = { prompt: 100, output: 10 };

it("believes counts up to ten times the bound", () => {
  expect(plausibleUsage(readUsage({ prompt_tokens: 1_000, completion_tokens: 100 }), bound)).toEqual({
    prompt_tokens: 1_000,
    completion_tokens: 100,
    total_tokens: 1_100,
  });
});

it.each([
  ["a prompt above ten times its bound", { prompt_tokens: 1_001, completion_tokens: 1 }],
  ["an output above ten times its bound", { prompt_tokens: 1, completion_tokens: 101 }],
  ["a negative count", { prompt_tokens: -1, completion_tokens: 1 }],
  ["a count that is not whole", { prompt_tokens: 1.5, completion_tokens: 1 }],
  ["a count as text", { prompt_tokens: "1", completion_tokens: 1 }],
  ["a missing count", { prompt_tokens: 1 }],
  ["no usage", null],
])("does not believe %s", (_, reported) => {
  expect(plausibleUsage(readUsage(reported), bound)).toBeUndefined();
});

it("does not believe more than a thousand million, whatever the bound", () => {
  const reported = { prompt_tokens: 1_000_000_001, completion_tokens: 1 };
  expect(plausibleUsage(readUsage(reported), { prompt: 1e12, output: 1e12 })).toBeUndefined();
});
