import { expect, it } from "vitest";
import { toUsage } from "./to-completion.ts";

const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

it("ignores negative counts when it sums up missing totals", () => {
  const usage = toUsage({
    inputTokens: { ...nothing, noCache: 500, cacheRead: -490 },
    outputTokens: { total: undefined, text: 20, reasoning: -15 },
  });
  expect(usage).toMatchObject({ prompt_tokens: 500, completion_tokens: 20 });
});

it("returns undefined if no count is usable", () => {
  const outputTokens = { total: 5, text: undefined, reasoning: undefined };
  expect(toUsage({ inputTokens: { ...nothing, noCache: -5 }, outputTokens })).toBeUndefined();
});
