import "./metrics.ts";
import { createGateway, type Gateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import type { KeyAdmin, KeyStore } from "@tollgate/core/store";
import { pooledTransport } from "@tollgate/node";
import { openTelemetry } from "@tollgate/opentelemetry";

export const keys: KeyAdmin & KeyStore = memoryKeyStore();
export const balances = memoryBalanceStore();

const openai = openaiCompatible({
  name: "openai",
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});

export const gateway: Gateway = createGateway({
  keys,
  balances,
  transport: pooledTransport(),
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 16_384,
      price: { input: "0.15", cachedInput: "0.075", output: "0.60" },
      targets: [{ provider: openai, model: "gpt-4o-mini" }],
    },
  ],
  observer: openTelemetry({ state: () => gateway.inspect() }),
});
