// A gateway with four targets in a random order. Prints the target that answered each conversation.
import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";

const finish_reason = "stop";
const answered = [];
const targets = ["one", "two", "three", "four"].map((name) => ({
  model: "up",
  priority: 1,
  provider: {
    name,
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    complete: async () => {
      answered.push(name);
      return { choices: [{ message: { role: "assistant", content: "Now." }, finish_reason }] };
    },
    stream: () => Promise.reject(new Error("No stream is requested.")),
  },
}));
targets.sort(() => Math.random() - 0.5);
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  plans: [{ id: "open", billing: "none" }],
  models: [{ id: "plain", maxOutputTokens: 10, price: "free", targets }],
});
const { secret } = await keys.create({ account: "acme", plan: "open" });
for (let conversation = 0; conversation < 200; conversation++) {
  const response = await gateway.fetch(
    new Request("http://gateway.test/router/v1/chat/completions", {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "x-session-id": `conversation-${conversation}`,
      },
      body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
    }),
  );
  await response.arrayBuffer();
}
console.log(answered.join(" "));
