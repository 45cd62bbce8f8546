import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { createGateway } from "@tollgate/core/chat";
import { describe, expect, it } from "vitest";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const provider = scriptedProvider({
  complete: async () => completionOf("Hello", { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
});

async function chatGateway() {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "upstream-model" }],
      },
    ],
  });
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const send = async (method: string, path: string, body?: object) => {
    const response = await gateway.fetch(
      new Request(`http://gateway.test/router/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return { balances, send };
}

describe("the gateway of @tollgate/core/chat", () => {
  it("answers and charges a chat completion, and lists its models", async () => {
    const { balances, send } = await chatGateway();
    const messages = [{ role: "user", content: "Hi" }];
    const answer = await send("POST", "/chat/completions", { model: "plain", messages });
    expect(answer).toMatchObject({ status: 200, body: { object: "chat.completion", model: "plain" } });
    // One token each way, at 1 and 2 per million.
    expect(balances.balance("acme").available).toBe(1_000_000_000n - 3_000n);
    expect(await send("GET", "/models")).toMatchObject({ status: 200, body: { data: [{ id: "plain" }] } });
    expect(await send("GET", "/models/plain")).toMatchObject({ status: 200, body: { id: "plain" } });
  });

  it.each(["/messages", "/messages/count_tokens", "/responses", "/embeddings"])(
    "has no endpoint at %s, and names those that it has",
    async (path) => {
      const { send } = await chatGateway();
      expect(await send("POST", path, { model: "plain" })).toMatchObject({
        status: 404,
        body: {
          error: {
            message: "There is no endpoint at this path. The endpoints are /models, /models/{id}, /chat/completions.",
          },
        },
      });
    },
  );

  it.each(["messages", "responses", "openapi"])("refuses the option `%s`, which belongs to what it lacks", (option) => {
    const options = { keys: memoryKeyStore(), balances: memoryBalanceStore(), plans: [], models: [], [option]: {} };
    expect(() => createGateway(options)).toThrow(
      `\`${option}\` is not a member of the options of createGateway of @tollgate/core/chat.`,
    );
  });
});
