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
      maxOutputTokens: 64_000,
      price: { input: "0.25", cachedInput: "0.025", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
  observer: openTelemetry({ state: () => gateway.inspect() }),
});
