import { browserTokens } from "@tollgate/browser-tokens";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const balances = memoryBalanceStore();
const page = "https://app.example";
const gateway = createGateway({
  keys,
  balances,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.30", cachedInput: "0.03", output: "2.40" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
  extensions: [browserTokens({ secret: "replace this with 32 random characters", origins: [page] })],
});

const { key } = await keys.create({ account: "customer-17", plan: "prepaid" });
balances.credit({ id: "opening", account: "customer-17", amount: "1.00", reason: "example" });
const { token, expiresAt } = await gateway.browserTokens.create({ keyId: key.id, spendCap: "0.10" });
console.log(`A page of ${page} may use this token until ${expiresAt.toISOString()}: ${token}`);

/** Sends what a page of an origin would send. */
async function askFrom(origin: string): Promise<number> {
  const request = new Request("http://localhost/router/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, origin, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  const answer = await gateway.fetch(request);
  await answer.text();
  return answer.status;
}
console.log(`This page gets ${await askFrom(page)}, and another one ${await askFrom("https://evil.example")}.`);
