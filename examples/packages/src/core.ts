import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  plans: [{ id: "internal", billing: "none" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: "free",
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const { secret } = await keys.create({ account: "customer-17", plan: "internal" });

const request = new Request("http://localhost/router/v1/chat/completions", {
  method: "POST",
  headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
  body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
});
const answer = await gateway.fetch(request);
console.log(await answer.text());
