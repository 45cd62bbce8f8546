import type { UsageRow } from "@tollgate/core/store";
import { keys, shape } from "./opened-usage.ts";

/** Returns a row of a completed request, of one of the keys. */
export function newRow(index: number): UsageRow {
  const key = Math.floor(Math.random() * keys);
  return {
    id: crypto.randomUUID(),
    at: new Date(),
    requestId: `req_${index}`,
    account: `account-${Math.floor(key / 5)}`,
    keyId: `key-${key}`,
    plan: "pro",
    endpoint: "chat.completions",
    dialect: "chat",
    model: `model-${index % shape.models}`,
    target: { provider: "provider", upstreamModel: "up" },
    status: 200,
    ending: "complete",
    tokens: { input: 42, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 57, reasoning: 0 },
    estimated: false,
    cost: 1_000n,
    durationMs: index,
    attempts: 1,
    tags: ["red"],
    timeline: [
      { step: "admitted", at: 0 },
      { step: "answered", at: index },
    ],
  };
}
