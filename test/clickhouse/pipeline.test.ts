import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { clickhouseContentStore, clickhouseUsageStore } from "@tollgate/clickhouse";
import { migratePostgres, postgresBalanceStore } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { OwnNatsServer, withoutNats } from "../nats/own-nats-server.ts";
import { createDatabase } from "../support/create-database.ts";
import { freePort } from "../support/free-port.ts";
import { json } from "../support/webhook-target.ts";
import { type Chdb, startChdb } from "./chdb.ts";
import { startProgram } from "./programs.ts";

let server: Chdb;
beforeAll(async () => {
  server = await startChdb();
}, 300_000);
afterAll(() => server.stop());

it("the program of the README records usage and content in ClickHouse", { timeout: 60_000 }, async () => {
  const upstream = createServer((_, res) => {
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    json(res, 200, { id: "x", object: "chat.completion", created: 1, model: "m", choices, usage });
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const { port: upstreamPort } = upstream.address() as AddressInfo;
  const port = String(await freePort());
  const env = { CLICKHOUSE_URL: server.url, OPENAI_BASE_URL: `http://127.0.0.1:${upstreamPort}`, PORT: port };
  const program = await startProgram("clickhouse", "API key", { ...env, OPENAI_API_KEY: "sk-upstream" });
  const answer = await fetch(`http://127.0.0.1:${port}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${program.printed}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(answer.status).toBe(200);
  const usage = clickhouseUsageStore(server.client());
  const content = clickhouseContentStore(server.client());
  await expect.poll(async () => (await usage.list({ limit: 2 })).rows).toMatchObject([{ model: "acme-small" }]);
  const find = async () => (await content.list({ account: "customer-17", limit: 2 })).records;
  await expect.poll(find).toMatchObject([{ request: { messages: [{ content: "Hi" }] } }]);
  program.process.kill("SIGKILL");
  upstream.close();
});

it.skipIf(withoutNats || inject("postgres") === undefined)(
  "every entry of the ledger is in ClickHouse once, although both programs are killed",
  { timeout: 120_000 },
  async () => {
    const database = await createDatabase(inject("postgres"));
    const nats = await OwnNatsServer.start();
    const env = { DATABASE_URL: database.url, NATS_URL: nats.url, CLICKHOUSE_URL: server.url };
    const pool = new Pool({ connectionString: database.url }).on("error", () => undefined);
    await migratePostgres(pool);
    const balances = postgresBalanceStore(pool);
    const add = async (count: number) => {
      for (let each = 0; each < count; each++)
        await balances.credit({
          id: crypto.randomUUID(),
          account: `account-${each % 7}`,
          amount: "0.1",
          reason: "top-up",
        });
    };
    const start = () =>
      Promise.all([startProgram("nats", "Publishing", env), startProgram("nats-to-clickhouse", "Consuming", env)]);
    // The consumer needs the stream that the publisher makes.
    await (await startProgram("nats", "Publishing", env)).end();
    for (let life = 0; life < 3; life++) {
      const programs = await start();
      await add(40);
      for (const program of programs) {
        program.process.kill("SIGKILL");
        await once(program.process, "exit");
      }
    }
    const programs = await start();
    const stored = async () => {
      const query = "SELECT toString(count()) AS entries, toString(sum(amount)) AS amount FROM ledger_entry FINAL";
      const result = await server.client().query({ query, format: "JSONEachRow" });
      return result.json();
    };
    await expect.poll(stored, { timeout: 60_000, interval: 250 }).toEqual([{ entries: "120", amount: "12" }]);
    expect(await Promise.all(programs.map((program) => program.end()))).toEqual([0, 0]);
    await pool.end();
    await nats.stop();
    await database.drop();
  },
);
