const assert = require("node:assert/strict");
const { once } = require("node:events");
const { createGateway, memoryBalanceStore, memoryKeyStore } = require("@tollgate/core");
const { tollgate } = require("@tollgate/express");
const express = require("express");

const offline = {
  name: "offline",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => ({
    choices: [{ message: { content: "Hello from Tollgate." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 5 },
  }),
  stream: async () => {
    throw new Error("This provider does not stream. Send a request without `stream`.");
  },
};

async function main() {
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
        targets: [{ provider: offline, model: "offline" }],
      },
    ],
  });
  const { secret } = await keys.create({ account: "customer-17", plan: "internal" });
  const server = express().use("/router/v1", tollgate(gateway)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  assert.equal(answer.status, 200);
  const { model, choices, usage } = await answer.json();
  assert.equal(model, "acme-small");
  console.log(choices[0].message.content, usage.total_tokens);
  server.close().closeAllConnections();
}

main();
