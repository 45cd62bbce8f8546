import { expect, it } from "vitest";
import { toUsage } from "./to-usage.ts";

const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

it("makes no credit of a negative count where the totals are missing", () => {
  const usage = toUsage({
    inputTokens: { ...nothing, noCache: 500, cacheRead: -490 },
    outputTokens: { total: undefined, text: 20, reasoning: -15 },
  });
  expect(usage).toMatchObject({ prompt_tokens: 500, completion_tokens: 20 });
});

it("tells nothing where no count can be used", () => {
  const outputTokens = { total: 5, text: undefined, reasoning: undefined };
  expect(toUsage({ inputTokens: { ...nothing, noCache: -5 }, outputTokens })).toBeUndefined();
});
