import type { ChargeReceipt, HoldRequest } from "@tollgate/core/store";

/** The members of a hold without required terms, spend limits and notices. */
export const plainHold: Pick<HoldRequest, "terms" | "receipt" | "spend" | "notices"> = {
  terms: [],
  receipt: { requestId: "req-1", model: "model-1", dialect: "chat" },
  spend: {},
  notices: undefined,
};

/** The receipt of a charge. */
export const chargeReceipt: ChargeReceipt = {
  provider: "provider-1",
  upstreamModel: "upstream-1",
  tokens: { input: 6, cachedInput: 3, cacheWrite5m: 2, cacheWrite1h: 1, output: 5, reasoning: 4 },
  basis: "reported",
  prices: { input: 1n, cachedInput: 2n, cacheWrite5m: 3n, cacheWrite1h: 4n, output: 5n, request: 6n },
  durationMs: 7,
  status: "complete",
};
