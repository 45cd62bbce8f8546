import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  memoryBalanceStore,
  memoryKeyStore,
  parseAmount,
} from "@tollgate/core";
import type { ChatCompletion, ProviderAdapter } from "@tollgate/core/provider";
import { tollgate } from "@tollgate/fastify";
import { fastify } from "fastify";

const completion: ChatCompletion = {
  choices: [{ message: { content: "Hello from Tollgate." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 5 },
};
const offline: ProviderAdapter = {
  name: "offline",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => completion,
  stream: async () => {
    throw new Error("This provider does not stream. Send a request without `stream`.");
  },
};

const keys = memoryKeyStore();
const balances = memoryBalanceStore();
const options: GatewayOptions = {
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
};
const gateway: Gateway = createGateway(options);
const { secret } = await keys.create({ account: "customer-17", plan: "prepaid" });
balances.credit({ id: "invoice-1", account: "customer-17", amount: parseAmount("5.00"), reason: "top-up" });

const app = fastify();
await app.register(tollgate, { gateway, prefix: "/router/v1" });
const answer = await app.inject({
  method: "POST",
  url: "/router/v1/chat/completions",
  headers: { authorization: `Bearer ${secret}` },
  payload: { model: "acme-small", messages: [{ role: "user", content: "Hi" }] },
});
const { choices }: ChatCompletion = answer.json();
console.log(answer.statusCode, choices[0]?.message?.content);
await app.close();
