import { createGateway, type GatewayOptions, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { balances, keys } from "./stores-in-sqlite.ts";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});

export const options: GatewayOptions = {
  keys,
  balances,
  transport: pooledTransport(),
  plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 600 } } }],
  models: [
    {
      id: "acme-small",
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
      price: { input: "0.15", cachedInput: "0.075", output: "0.60" },
      targets: [{ provider: openai, model: "gpt-4o-mini" }],
    },
  ],
};

export const gateway = createGateway(options);
