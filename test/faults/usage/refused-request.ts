import { randomInt } from "node:crypto";
import type { GatewayEvent } from "@tollgate/core";

/** The end event of a request that was refused. All requests share a few models, accounts and keys. */
export function refusedRequest(): GatewayEvent {
  const number = randomInt(5);
  return {
    type: "request.refused",
    at: Date.now(),
    id: crypto.randomUUID(),
    requestId: "r",
    endpoint: "chat.completions",
    status: 402,
    code: "insufficient_balance",
    durationMs: randomInt(2_000),
    ending: "refused",
    keyId: `key-${number}`,
    account: `account-${number % 3}`,
    plan: "prepaid",
    model: `model-${number % 2}`,
    timeline: [],
  };
}
