// A host that sends one request. Nothing but this request keeps the process alive.
import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { ProviderError } from "@tollgate/core/provider";

const stream = process.argv[2] === "true";
let calls = 0;
const failOnce = () => {
  calls += 1;
  if (calls === 1) throw new ProviderError("overloaded", "Busy.", { retryAfterSeconds: 1 });
};
const finish_reason = "stop";
async function* chunks() {
  yield { choices: [{ index: 0, delta: { content: "Now." }, finish_reason }] };
}
const provider = {
  name: "busy",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => {
    failOnce();
    return { choices: [{ message: { role: "assistant", content: "Now." }, finish_reason }] };
  },
  stream: async () => {
    failOnce();
    return { kind: "chunks", chunks: chunks() };
  },
};
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  plans: [{ id: "open", billing: "none" }],
  models: [{ id: "plain", maxOutputTokens: 10, price: "free", targets: [{ provider, model: "up" }] }],
});
const { secret } = await keys.create({ account: "acme", plan: "open" });
const response = await gateway.fetch(
  new Request("http://gateway.test/router/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "plain", stream, messages: [{ role: "user", content: "Hello" }] }),
  }),
);
console.log(response.status, (await response.text()).includes("Now."), calls);
