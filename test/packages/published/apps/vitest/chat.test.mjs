import { expect, it } from "vitest";
import { chatRequest, offlineGateway } from "../shared/offline-gateway.mjs";

it("answers a chat completion under Vitest", async () => {
  const { gateway, secret } = await offlineGateway();
  const answer = await gateway.fetch(chatRequest("http://localhost/router/v1", secret));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: "Hello from Tollgate." } }],
    usage: { total_tokens: 8 },
  });
});
