import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { chatRequest, offlineGateway } from "../shared/offline-gateway.mjs";

test("answers a chat completion under Jest", async () => {
  const { gateway, secret } = await offlineGateway();
  const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const answer = await fetch(chatRequest(`http://127.0.0.1:${server.address().port}/router/v1`, secret));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: "Hello from Tollgate." } }],
    usage: { total_tokens: 8 },
  });
  server.close().closeAllConnections();
});
