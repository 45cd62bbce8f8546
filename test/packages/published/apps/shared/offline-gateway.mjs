import { createGateway, memoryBalanceStore, memoryKeyStore, parseAmount } from "@tollgate/core";

const usage = { prompt_tokens: 3, completion_tokens: 5 };

/** Answers without a network. */
const offline = {
  name: "offline",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => ({
    choices: [{ message: { content: "Hello from Tollgate." }, finish_reason: "stop" }],
    usage,
  }),
  stream: async () => {
    throw new Error("This provider does not stream. Send a request without `stream`.");
  },
};

/** Makes a gateway over the offline provider, and an API key of an account with money. */
export async function offlineGateway() {
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
        price: { input: "0.25", output: "2" },
        targets: [{ provider: offline, model: "offline" }],
      },
    ],
  });
  const { secret } = await keys.create({ account: "customer-17", plan: "prepaid" });
  balances.credit({ id: "invoice-1", account: "customer-17", amount: parseAmount("5.00"), reason: "top-up" });
  return { gateway, secret };
}

/** A request for a chat completion, for `fetch` or a fetch handler. */
export const chatRequest = (url, secret) =>
  new Request(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
