import { describe, expect, it } from "vitest";
import type { UsageRow } from "../ports/usage-store.ts";
import { memoryUsageStore } from "./memory-usage-store.ts";

const row = (seconds: number): UsageRow => ({
  id: `id-${seconds}`,
  at: new Date(seconds * 1_000),
  requestId: "r",
  account: "acme",
  keyId: "key",
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "m",
  status: 200,
  ending: "complete",
  tokens: { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  estimated: false,
  cost: 1n,
  durationMs: 1,
  attempts: 1,
  tags: [],
  timeline: [],
});

describe("memoryUsageStore", () => {
  it("keeps the newest rows and the totals of all", async () => {
    const store = memoryUsageStore({ keepRows: 2 });
    expect(await store.record([row(3), row(1), row(2)])).toBe(3);
    const { rows } = await store.list({ limit: 10 });
    expect(rows.map(({ id }) => id)).toEqual(["id-3", "id-2"]);
    const [sum] = await store.summary({ from: new Date(0), to: new Date(86_400_000), bucket: "day" });
    expect(sum?.requests).toBe(3);
  });

  it.each([0, -1, 1.5])("refuses to keep %s rows", (keepRows) => {
    expect(() => memoryUsageStore({ keepRows })).toThrow(/keepRows must be a whole number of at least 1/);
  });
});
