import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { OwnNatsServer, withoutNats } from "../nats/own-nats-server.ts";
import { createDatabase } from "../support/create-database.ts";
import { freePort } from "../support/free-port.ts";
import { json } from "../support/webhook-target.ts";

// The programs of the packages' READMEs, as they were built. Run `node scripts/build.mjs` first.
const folder = mkdtempSync(join(tmpdir(), "tollgate-readmes-"));
const upstream = createServer(async (req, res) => {
  const { model } = JSON.parse(await text(req));
  const choices = [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  json(res, 200, { id: "x", object: "chat.completion", created: 1, model, choices, usage });
});
beforeAll(async () => void (await once(upstream.listen(0, "127.0.0.1"), "listening")));
afterAll(() => {
  upstream.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  OPENAI_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
  OPENAI_API_KEY: "sk-upstream",
  ANTHROPIC_API_KEY: "sk-ant-upstream",
  GEMINI_API_KEY: "upstream",
  DASHBOARD_PASSWORD: "correct horse",
  STRIPE_API_KEY: "sk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U",
  ADMIN_TOKEN: "an-admin-token-of-tests",
  DATABASE_FILE: join(folder, "acme.db"),
  DATABASE_URL: inject("postgres"),
  REDIS_URL: inject("redis"),
});
const programOf = (name: string): string => `examples/packages/dist/${name}.js`;

/** Starts a program and returns its origin, what it prints first after `label`, and a function that stops it. */
async function start(name: string, label: string) {
  const port = await freePort();
  const env = { ...environment(), PORT: String(port) };
  const program = spawn(process.execPath, [programOf(name)], { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(program.stdout)) {
    const [, printed] = line.split(`${label}: `);
    if (printed !== undefined)
      return { origin: `http://127.0.0.1:${port}`, printed, [Symbol.dispose]: () => void program.kill("SIGKILL") };
  }
  throw new Error(`The program of packages/${name}/README.md ended before it listened.`);
}

const answering = ["express", "fastify", "hono", "node", "sqlite", "redis", "ai-sdk"];
const others = ["anthropic", "google", "dashboard", "management", "stripe"];
const withDatabase = inject("postgres") === undefined ? [] : ["postgres"];
const servers = [...answering, ...others, ...withDatabase];

describe("the program of the README of", () => {
  it.each(answering)("%s answers", answersChat);
  it.skipIf(inject("postgres") === undefined)("postgres answers", () => answersChat("postgres"));

  it.each(["anthropic", "google"])("%s lists its model", async (name) => {
    using app = await start(name, "API key");
    const headers = { authorization: `Bearer ${app.printed}` };
    const models = await fetch(`${app.origin}/router/v1/models`, { headers });
    expect(await models.json()).toMatchObject({ data: [{ id: "acme-small" }] });
  });

  it("dashboard serves the page to its operator", async () => {
    using app = await start("dashboard", "Dashboard");
    const headers = { authorization: `Basic ${btoa("admin:correct horse")}` };
    expect((await fetch(app.printed)).status).toBe(401);
    expect(await (await fetch(app.printed, { headers })).text()).toContain("<!doctype html>");
  });

  it.each(servers)("%s says what to do if its port is in use", async (name) => {
    const { port } = upstream.address() as AddressInfo;
    const run = promisify(execFile)(process.execPath, [programOf(name)], {
      env: { ...environment(), PORT: String(port) },
    });
    await expect(run).rejects.toThrow(`Port ${port} cannot be used. Free it, or set another one as PORT.`);
  });

  it("management shows a key of its host to its operator, and nothing to others", async () => {
    using app = await start("management", "Management API");
    const headers = { authorization: "Bearer an-admin-token-of-tests", "content-type": "application/json" };
    const body = JSON.stringify({ account: "acme", plan: "prepaid" });
    expect((await fetch(`${app.printed}/keys`, { method: "POST", headers, body })).status).toBe(201);
    expect(await (await fetch(`${app.printed}/keys`, { headers })).json()).toMatchObject({
      data: [{ account: "acme" }],
    });
    expect((await fetch(`${app.printed}/keys`)).status).toBe(401);
  });

  it("stripe shows its product, and refuses an event that Stripe has not signed", async () => {
    using app = await start("stripe", "Payments");
    expect(await (await fetch(`${app.printed}/products`)).json()).toMatchObject({ data: [{ id: "credit-10" }] });
    const unsigned = await fetch(`${app.printed}/webhook`, { method: "POST", body: "{}" });
    expect(unsigned.status).toBe(400);
  });

  it("core prints a completion", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [programOf("core")], { env: environment() });
    expect(stdout).toContain('"content":"Hello"');
  });

  it("prices prints what the customer and the host pay", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [programOf("prices")], { env: environment() });
    expect(stdout).toContain('"tiers":[{"aboveInputTokens":200000,"input":"2.5","output":"15","cachedInput":"0.25"}]');
    expect(stdout).toContain("The customer paid 0.0000027, and OpenAI is paid 0.00000225.");
  });

  it("browser-tokens answers a page of its origin, and no other", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [programOf("browser-tokens")], {
      env: environment(),
    });
    expect(stdout).toContain("This page gets 200, and another one 403.");
  });

  it("sqlite credits an order", async () => {
    const env = { ...environment(), DATABASE_FILE: join(folder, "orders.db") };
    const run = async () => (await promisify(execFile)(process.execPath, [programOf("sqlite-order")], { env })).stdout;
    expect([await run(), await run()]).toEqual(["Balance: 5\n", "Balance: 10\n"]);
  });

  it.skipIf(inject("postgres") === undefined)("postgres credits an order", async () => {
    const database = await createDatabase(inject("postgres"));
    const env = { ...environment(), DATABASE_URL: database.url };
    const run = async () =>
      (await promisify(execFile)(process.execPath, [programOf("postgres-order")], { env })).stdout;
    expect([await run(), await run()]).toEqual(["Balance: 5\n", "Balance: 10\n"]);
    await database.drop();
  });

  it.skipIf(withoutNats || inject("postgres") === undefined)(
    "nats publishes the ledger until it is stopped",
    async () => {
      const database = await createDatabase(inject("postgres"));
      const server = await OwnNatsServer.start();
      const env = { ...environment(), DATABASE_URL: database.url, NATS_URL: server.url };
      const program = spawn(process.execPath, [programOf("nats")], { env, stdio: ["ignore", "pipe", "inherit"] });
      await once(program.stdout, "data");
      program.kill("SIGTERM");
      expect(await once(program, "exit")).toEqual([0, null]);
      await server.stop();
      await database.drop();
    },
  );

  it("contract passes", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--test", programOf("contract")]);
    expect(stdout).toMatch(/^# pass [1-9]/m);
  });

  it("exact-money runs a case on its gateway", async () => {
    const args = [programOf("exact-money"), "--driver", "acme", "--case", "usage-json"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe("acme: 1 passed, 0 failed\n");
  });
});

/** `test/clickhouse` runs these. */
const onClickHouse = ["clickhouse", "nats-to-clickhouse"];

it("every program is run", () => {
  const names = readdirSync("examples/packages/src").map((file) => file.replace(".ts", ""));
  expect(names.sort()).toEqual(
    [
      ...answering,
      ...others,
      ...onClickHouse,
      "nats",
      "postgres",
      "core",
      "contract",
      "exact-money",
      "prices",
      "browser-tokens",
      "sqlite-order",
      "postgres-order",
    ].sort(),
  );
});

async function answersChat(name: string): Promise<void> {
  using app = await start(name, "API key");
  const answer = await fetch(`${app.origin}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.printed}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(await answer.json()).toMatchObject({ model: "acme-small", choices: [{ message: { content: "Hello" } }] });
}
