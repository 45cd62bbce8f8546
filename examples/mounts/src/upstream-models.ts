import { createGateway, upstreamModels } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { balances, keys } from "../../shop/src/gateway.ts";

const transport = pooledTransport();

export const models = upstreamModels({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
  transport,
  allow: ["gpt-5*"],
  prices: { "gpt-5": { input: "1.25", output: "10" }, "gpt-5-mini*": { input: "0.25", output: "2" } },
  prefix: "acme/",
  settings: { contextWindow: 400_000, maxOutputTokens: 64_000 },
  onError: ({ message }) => console.error(message),
});
await models.ready;

export const gateway = createGateway({
  keys,
  balances,
  transport,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models,
});
