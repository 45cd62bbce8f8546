import { createGateway, formatAmount, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { priceDate, priceOf, pricesOf } from "@tollgate/prices";

console.log(`On ${priceDate}, Gemini 2.5 Pro cost ${JSON.stringify(priceOf("google", "gemini-2.5-pro"))}.`);

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const balances = memoryBalanceStore();
const gateway = createGateway({
  keys,
  balances,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.30", cachedInput: "0.03", output: "2.40" },
      targets: [{ provider: openai, model: "gpt-5-mini", cost: pricesOf("openai", "gpt-5-mini") }],
    },
  ],
  observer(event) {
    if (event.type !== "request.completed") return;
    const { cost = 0n, upstreamCost = 0n } = event;
    console.log(`The customer paid ${formatAmount(cost)}, and OpenAI is paid ${formatAmount(upstreamCost)}.`);
  },
});

const { secret } = await keys.create({ account: "customer-17", plan: "prepaid" });
balances.credit({ id: "opening", account: "customer-17", amount: "1.00", reason: "example" });
const answer = await gateway.fetch(
  new Request("http://localhost/router/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  }),
);
await answer.text();
