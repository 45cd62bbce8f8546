import type { UsageRow } from "@tollgate/core/store";

/** Returns a usage row of the target "scripted/upstream-model", now, with other members. */
export const usageRow = (members: Partial<UsageRow> = {}): UsageRow => ({
  id: crypto.randomUUID(),
  at: new Date(),
  requestId: "req_1",
  account: "acme",
  keyId: "key_1",
  plan: "prepaid",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "plain",
  target: { provider: "scripted", upstreamModel: "upstream-model" },
  status: 200,
  ending: "complete",
  tokens: { input: 10, cachedInput: 1, cacheWrite5m: 2, cacheWrite1h: 3, output: 20, reasoning: 5 },
  estimated: false,
  cost: 50_000_000n,
  durationMs: 100,
  attempts: 1,
  tags: [],
  timeline: [],
  ...members,
});
