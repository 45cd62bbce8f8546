import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible, parseAmount } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import express from "express";

const usage = { prompt_tokens: 3, completion_tokens: 5 };
async function* chunks() {
  yield { choices: [{ delta: { content: "Hello from Tollgate." } }] };
  yield { choices: [{ delta: {}, finish_reason: "stop" }], usage };
}
const offline = {
  name: "offline",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => ({
    choices: [{ message: { content: "Hello from Tollgate." }, finish_reason: "stop" }],
    usage,
  }),
  stream: async () => ({ kind: "chunks", chunks: chunks() }),
};

const apiKey = process.env.OPENAI_API_KEY;
const target = apiKey
  ? { provider: openaiCompatible({ baseURL: "https://api.openai.com/v1", apiKey }), model: "gpt-5-mini" }
  : { provider: offline, model: "offline" };

const keys = memoryKeyStore();
const balances = memoryBalanceStore();
const gateway = createGateway({
  keys,
  balances,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [{ id: "acme-small", maxOutputTokens: 64_000, price: { input: "0.25", output: "2" }, targets: [target] }],
});

const { secret } = await keys.create({ account: "customer-17", plan: "prepaid" });
balances.credit({ id: "invoice-1", account: "customer-17", amount: parseAmount("5.00"), reason: "top-up" });

const app = express();
app.use("/router/v1", tollgate(gateway));
app.listen(Number(process.env.PORT ?? 8787), "127.0.0.1", (error) => {
  if (error) throw new Error("Free the port, or choose another: PORT=8788 node app.mjs", { cause: error });
  console.log(`API key: ${secret}`);
});
