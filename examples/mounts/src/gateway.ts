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
      contextWindow: 400_000,
      maxOutputTokens: 64_000,
      price: { input: "0.25", cachedInput: "0.025", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
};

export const gateway = createGateway(options);
