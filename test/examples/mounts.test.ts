import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { assistants } from "@tollgate/assistants";
import { createGateway, memoryBalanceStore, memorySessionStore } from "@tollgate/core";
import { webhookRunner } from "@tollgate/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { customerKeys } from "../../examples/mounts/src/own-key-store.ts";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { allEvents } from "../support/read-stream.ts";
import { json, type WebhookTarget, webhookTarget } from "../support/webhook-target.ts";
import { newCustomer } from "./new-customer.ts";

const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface ChatRequest {
  readonly tools?: readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
}

/** The answer of the upstream: a greeting, a call of find_order, or the result of that call. */
function completionOf({ tools, messages }: ChatRequest): object {
  const last = messages.at(-1);
  const find_order = { name: "find_order", arguments: '{"number":1234}' };
  const calling = tools !== undefined && last?.role === "user";
  const message = calling
    ? { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: find_order }] }
    : { role: "assistant", content: last?.role === "tool" ? last.content : "Hello" };
  return {
    id: "x",
    object: "chat.completion",
    created: 1,
    model: "gpt-5-mini",
    choices: [{ index: 0, message, finish_reason: calling ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

let shop: WebhookTarget;
const folder = mkdtempSync(join(tmpdir(), "tollgate-mounts-"));

beforeAll(async () => {
  process.env["DATABASE_FILE"] = join(folder, "acme.db");
  const upstream = createServer(async (req, res) => json(res, 200, completionOf(JSON.parse(await text(req)))));
  process.env["OPENAI_BASE_URL"] = await listen(upstream);
  shop = await webhookTarget();
  shop.answer = (_request, res) => json(res, 200, { state: "on its way", session: { client_data: { seen: true } } });
  process.env["SHOP_HOST"] = shop.host;
  process.env["SHOP_KEY"] = "canary-of-the-shop";
});

afterAll(async () => {
  await shop.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function expectRouter(origin: string): Promise<void> {
  const secret = await newCustomer(crypto.randomUUID());
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const models = await fetch(`${origin}/router/v1/models`, { headers });
  expect(await models.json()).toMatchObject({ data: [{ id: "acme-small" }] });
  const body = JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] });
  const answer = await fetch(`${origin}/router/v1/chat/completions`, { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({ model: "acme-small", choices: [{ message: { content: "Hello" } }] });
}

describe("the examples of the guides", () => {
  it("mount the router in Express", async () => {
    const { app } = await import("../../examples/mounts/src/express.ts");
    await expectRouter(await listen(createServer(app)));
  });

  it("serve it as a fetch handler", async () => {
    const { default: handler } = await import("../../examples/mounts/src/fetch.ts");
    expect((await handler.fetch(new Request("http://host.test/router/v1/models"))).status).toBe(401);
  });

  it("run a conversation whose trigger calls a webhook", async () => {
    const { app } = await import("../../examples/mounts/src/assistant.ts");
    const origin = await listen(createServer(app));
    await expectRouter(origin);
    const secret = await newCustomer(crypto.randomUUID());
    const ask = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(`${origin}${path}`, { headers, ...sent });
      return [answer.status, await answer.json()];
    };
    const client_data = { customer: "Ann & Bob" };
    const [created, session] = await ask("/session", { assistant_id: "order-desk", client_data });
    expect([created, session]).toMatchObject([201, { assistant_id: "order-desk", client_data }]);

    const [status, said] = await ask(`/session/${session.id}/messages`, { content: "Where is order 1234?" });
    expect([status, JSON.parse(said.choices[0].message.content)]).toMatchObject([
      200,
      {
        ok: true,
        status: 200,
        directive: "Say in one sentence where the order is.",
        response: { state: "on its way" },
      },
    ]);
    expect(shop.received).toMatchObject([
      { url: "/orders/1234?customer=Ann%20%26%20Bob", headers: { authorization: "Bearer canary-of-the-shop" } },
    ]);
    expect(await ask(`/session/${session.id}`)).toMatchObject([200, { client_data: { ...client_data, seen: true } }]);
    const logs = await ask(`/session/${session.id}/logs`);
    expect(logs).toMatchObject([200, { data: [{ trigger: "find_order", outcome: "succeeded" }] }]);
    expect(JSON.stringify(logs)).not.toContain("canary");
  });

  it("show the request of a webhook without sending it", async () => {
    const before = shop.received.length;
    const { result } = await import("../../examples/mounts/src/dry-run.ts");
    expect(result).toMatchObject({
      outcome: "rendered",
      request: { method: "GET", url: `${shop.url}/orders/1234?customer=Ann%20%26%20Bob` },
      target: { allowed: true },
    });
    expect(JSON.stringify(result)).not.toContain("canary");
    expect(shop.received).toHaveLength(before);
  });

  it("configure an assistant in JSON with a schema for editors", async () => {
    const { options } = await import("../../examples/shop/src/gateway.ts");
    const { orderDesk } = await import("../../examples/mounts/src/assistant-from-json.ts");
    const runner = webhookRunner();
    const gateway = createGateway({
      ...options,
      extensions: [assistants({ list: [orderDesk], sessions: memorySessionStore(), runner })],
    });
    const session = { clientData: { customer: "Ann" }, images: ["https://pictures.example/cat.png"] };
    const run = { assistant: "order-desk", trigger: "create_order", arguments: { article: "mug", quantity: 2 } };
    expect(await gateway.dryRun({ ...run, session })).toMatchObject({
      outcome: "rendered",
      request: {
        body: '{"article":"mug","note":"2 pieces for Ann","prints":["https://pictures.example/cat.png"]}',
      },
    });
    const schema = join("examples/mounts", orderDesk.$schema ?? "");
    const exported = createRequire(import.meta.url).resolve("@tollgate/assistants/assistant.schema.json");
    expect(realpathSync(schema)).toBe(realpathSync(exported));
  });

  it("route one model to several providers", async () => {
    process.env["ANTHROPIC_API_KEY"] = "canary-of-anthropic";
    process.env["GEMINI_API_KEY"] = "canary-of-gemini";
    const { gateway } = await import("../../examples/mounts/src/several-providers.ts");
    const secret = await newCustomer(crypto.randomUUID());
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await gateway.fetch(new Request("http://host.test/router/v1/models", { headers }));
    expect(await answer.json()).toMatchObject({ data: [{ id: "acme-large", context_window: 200_000, vision: true }] });
  });

  it("use a host's own tokens as keys, and its own provider", async () => {
    const customer = { id: "c-1", lastFourOfToken: "t-1" };
    const customers = {
      byToken: async (token: string) => (token === "t-1" ? customer : undefined),
      byId: async (id: string) => (id === "c-1" ? customer : undefined),
    };
    const balances = memoryBalanceStore();
    balances.credit({ id: "1", account: "c-1", amount: 1_000_000_000n, reason: "test" });
    const gateway = createGateway({
      keys: customerKeys(customers),
      balances,
      plans: [{ id: "prepaid", billing: "prepaid" }],
      models: [
        { id: "shout", maxOutputTokens: 100, price: "free", targets: [{ provider: shoutingProvider(), model: "-" }] },
      ],
    });
    const ask = (token: string, stream: boolean) =>
      gateway.fetch(
        new Request("http://host.test/router/v1/chat/completions", {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ model: "shout", stream, messages: [{ role: "user", content: "hello you" }] }),
        }),
      );
    expect(await (await ask("t-1", false)).json()).toMatchObject({ choices: [{ message: { content: "HELLO YOU" } }] });
    expect((await allEvents(await ask("t-1", true))).at(-1)).toBe("[DONE]");
    expect((await ask("t-2", false)).status).toBe(401);
  });
});
