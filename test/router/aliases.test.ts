import { type GatewayOptions, memoryUsageStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { isEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const messages = [{ role: "user", content: "Hello" }];
const provider = scriptedProvider({ complete: async () => completionOf("Hi") });
const targets = [{ provider, model: "up" }];
const price = { input: "1", output: "2" };

const large = { id: "large", aliases: ["claude-*", "gpt-5"], maxOutputTokens: 100, price, targets } as const;
const small = { id: "small", aliases: ["claude-haiku-*"], maxOutputTokens: 100, price, targets } as const;

const aliased = (options: Partial<GatewayOptions> = {}) => gatewayUnderTest({ models: [large, small], ...options });

const send = ({ gateway }: GatewayUnderTest, secret: string, path: string, body?: object) =>
  gateway.fetch(
    new Request(`http://gateway.test/router/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

describe("a model with aliases", () => {
  it.each([
    ["/chat/completions", { messages }],
    ["/responses", { input: "Hello", store: false }],
    ["/messages", { max_tokens: 10, messages }],
  ])("answers %s under its public id, which its receipt has too", async (path, body) => {
    const tested = aliased();
    const response = await send(tested, await tested.key(), path, { ...body, model: "claude-opus-4-1" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ model: "large" });
    const { entries } = await tested.balances.entries({ account: "acme", limit: 2 });
    expect(entries[1]).toMatchObject({ kind: "charge", receipt: { model: "large" } });
    expect(tested.events.filter(isEnd)).toMatchObject([{ type: "request.completed", model: "large" }]);
  });

  it("has its tokens counted under its public id", async () => {
    const unmetered = scriptedProvider({ complete: async () => ({ ...completionOf("Hi"), usage: undefined }) });
    const names = new Set<string>();
    const tested = aliased({
      models: [{ ...large, targets: [{ provider: unmetered, model: "up" }] }],
      money: { countTokens: (_text, model) => names.add(model).size },
    });
    expect((await tested.chat(await tested.key(), { model: "gpt-5" })).status).toBe(200);
    expect([...names]).toEqual(["large"]);
  });

  it("is listed once, and found by an alias as itself", async () => {
    const tested = aliased();
    const secret = await tested.key();
    const { data } = await (await tested.models(secret)).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["large", "small"]);
    expect(await (await send(tested, secret, "/models/gpt-5")).json()).toEqual(data[0]);
  });

  it("gives way to a model with the id that it matches", async () => {
    const claude = { ...small, id: "claude-5", aliases: [] };
    const tested = aliased({ models: [large, claude] });
    const secret = await tested.key();
    expect(await (await tested.chat(secret, { model: "claude-5" })).json()).toMatchObject({ model: "claude-5" });
    expect(await (await tested.chat(secret, { model: "claude-4" })).json()).toMatchObject({ model: "large" });
  });

  it("is allowed by its public id, in plans and keys", async () => {
    const tested = aliased({ plans: [{ id: "prepaid", billing: "prepaid", models: ["large"] }] });
    const [free, limited] = [await tested.key(), await tested.key({ models: ["small"] })];
    expect((await tested.chat(free, { model: "gpt-5" })).status).toBe(200);
    expect((await tested.chat(free, { model: "claude-haiku-4-5" })).status).toBe(404);
    expect((await tested.chat(limited, { model: "gpt-5" })).status).toBe(404);
    expect((await send(tested, free, "/models/claude-haiku-4-5")).status).toBe(404);
  });

  it("reports usage under its public id", async () => {
    const store = memoryUsageStore();
    const tested = aliased({ usage: { store } });
    await (await tested.chat(await tested.key(), { model: "gpt-5" })).text();
    await tested.gateway.drain();
    const { rows } = await store.list({ limit: 1 });
    expect(rows).toMatchObject([{ model: "large" }]);
  });
});
