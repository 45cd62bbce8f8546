import { createGateway, upstreamModels } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { balances, keys } from "./stores-in-sqlite.ts";

const transport = pooledTransport();

export const models = upstreamModels({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
  transport,
  allow: ["gpt-4o*"],
  prices: { "gpt-4o": { input: "2.50", output: "10" }, "gpt-4o-mini*": { input: "0.15", output: "0.60" } },
  prefix: "acme/",
  settings: { contextWindow: 128_000, maxOutputTokens: 16_384 },
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
