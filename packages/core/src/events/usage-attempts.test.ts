import { describe, expect, it } from "vitest";
import type { UsageRow } from "../ports/usage-store.ts";
import { attemptCounts } from "./usage-totals.ts";

const dead = { provider: "a", upstreamModel: "x" };
const alive = { provider: "b", upstreamModel: "y" };
const row = {
  id: "1",
  at: new Date(0),
  requestId: "r",
  account: "acme",
  keyId: "key",
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  status: 200,
  ending: "complete",
  tokens: { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 },
  estimated: false,
  cost: 0n,
  durationMs: 1,
  attempts: 1,
  tags: [],
  timeline: [],
} as const satisfies UsageRow;

describe("attemptCounts", () => {
  it("counts all attempts at the target when none is counted apart", () => {
    expect(attemptCounts({ ...row, target: alive, attempts: 2 })).toEqual([{ ...alive, failure: "", attempts: 2 }]);
    expect(attemptCounts(row)).toEqual([]);
  });

  it("separates the attempts that failed from the others", () => {
    const attemptsByTarget = [{ ...dead, attempts: 3, failed: { timeout: 2 } }];
    expect(attemptCounts({ ...row, target: alive, attempts: 3, attemptsByTarget })).toEqual([
      { ...dead, failure: "", attempts: 1 },
      { ...dead, failure: "timeout", attempts: 2 },
    ]);
  });
});
