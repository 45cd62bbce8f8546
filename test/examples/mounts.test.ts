import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createGateway, memoryBalanceStore } from "@tollgate/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { customerKeys } from "../../examples/mounts/src/own-key-store.ts";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { allEvents } from "../support/read-stream.ts";

const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const completion = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o-mini",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const folder = mkdtempSync(join(tmpdir(), "tollgate-mounts-"));

beforeAll(async () => {
  process.env["DATABASE_FILE"] = join(folder, "acme.db");
  const upstream = createServer((_req, res) =>
    res.setHeader("content-type", "application/json").end(JSON.stringify(completion)),
  );
  process.env["OPENAI_BASE_URL"] = await listen(upstream);
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function expectRouter(origin: string): Promise<void> {
  const { secret } = await import("../../examples/mounts/src/first-key.ts");
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const models = await fetch(`${origin}/router/v1/models`, { headers });
  expect(await models.json()).toMatchObject({ data: [{ id: "acme-small" }] });
  const body = JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] });
  const answer = await fetch(`${origin}/router/v1/chat/completions`, { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({ model: "acme-small", choices: [{ message: { content: "Hello" } }] });
}

describe("the examples of the README", () => {
  it("stand in it word for word", () => {
    const readme = readFileSync("README.md", "utf8");
    const folder = "examples/mounts/src";
    for (const file of readdirSync(folder))
      expect(readme).toContain(readFileSync(`${folder}/${file}`, "utf8").trimEnd());
  });

  it("mount the router in Express", async () => {
    const { app } = await import("../../examples/mounts/src/express.ts");
    await expectRouter(await listen(createServer(app)));
  });

  it("mount the router in Fastify", async () => {
    const { app } = await import("../../examples/mounts/src/fastify.ts");
    await app.listen({ port: 0, host: "127.0.0.1" });
    servers.push(app.server);
    await expectRouter(await listen(app.server));
  });

  it("mount the router in Hono on Node", async () => {
    const { app } = await import("../../examples/mounts/src/hono.ts");
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    await expectRouter(await listen(server as Server));
  });

  it("mount the router on node:http", async () => {
    const { server } = await import("../../examples/mounts/src/node-http.ts");
    await expectRouter(await listen(server));
  });

  it("serve it as a fetch handler", async () => {
    const { default: handler } = await import("../../examples/mounts/src/fetch.ts");
    expect((await handler.fetch(new Request("http://host.test/router/v1/models"))).status).toBe(401);
  });

  it("let a host's own tokens and own provider serve", async () => {
    const customers = { byToken: async (token: string) => (token === "t-1" ? { id: "c-1" } : undefined) };
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
