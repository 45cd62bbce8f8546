import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { formatAmount } from "@tollgate/core";
import type { NewKey } from "@tollgate/core/store";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

const databaseUrl = inject("postgres");
const schema = `cluster_${crypto.randomUUID().slice(0, 8)}`;
const workers = 3;
/** The cost of one answer of the example's provider: 10 input tokens at 1 and 10 output tokens at 2 per million. */
const price = 30_000n;

describe.skipIf(databaseUrl === undefined)("the cluster (needs PostgreSQL)", () => {
  let cluster: ChildProcess;
  let router: string;
  let pool: pg.Pool;
  let stores: PostgresStores;

  beforeAll(async () => {
    cluster = start({
      DATABASE_URL: databaseUrl,
      SCHEMA: schema,
      WORKERS: String(workers),
      PORT: "0",
      CLUSTER_JSON: "1",
    });
    router = (await firstLine(cluster)).router;
    pool = new pg.Pool({ connectionString: databaseUrl, max: 2 }).on("error", () => undefined);
    stores = await postgresStores(pool, { schema, migrate: false });
  }, 60_000);

  afterAll(async () => {
    cluster.kill("SIGKILL");
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await stores.close();
    await pool.end();
  });

  it("answers from every process", async () => {
    const customer = await newCustomer("spread", 1_000_000_000n);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(customer.secret)));
    expect(tally(answers)).toEqual({ 200: 40 });
    expect(new Set(answers.map(({ process }) => process)).size).toBe(workers);
  });

  it("grants exactly the request limit across processes", async () => {
    const customer = await newCustomer("limited", 1_000_000_000n, { limits: { requests: { limit: 50 } } });
    const answers = await Promise.all(Array.from({ length: 120 }, () => ask(customer.secret)));
    expect(tally(answers)).toEqual({ 200: 50, 429: 70 });
    await expectExactLedger(customer.account, 1_000_000_000n, 50);
  });

  it("does not exceed the concurrency limit of the key", async () => {
    const customer = await newCustomer("few", 1_000_000_000n, { limits: { concurrency: 4 } });
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(customer.secret)));
    const { 200: granted = 0, 429: refused = 0 } = tally(answers);
    expect([granted + refused, granted >= 4, refused > 0]).toEqual([60, true, true]);
    await expectExactLedger(customer.account, 1_000_000_000n, granted);
    // All slots are free again, so as many requests as the limit run at once.
    expect(tally(await Promise.all(Array.from({ length: 4 }, () => ask(customer.secret))))).toEqual({ 200: 4 });
  });

  it("never charges more than the balance", async () => {
    const customer = await newCustomer("poor", 20n * price);
    const statuses: Record<number, number> = {};
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(customer.secret)));
      for (const [status, count] of Object.entries(tally(answers))) {
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + (count ?? 0);
      }
    }
    const { 200: granted = 0, 402: refused = 0 } = statuses;
    expect([granted + refused, granted <= 20, granted > 0]).toEqual([144, true, true]);
    await expectExactLedger(customer.account, 20n * price, granted);
  });

  it("loses no charge and no concurrency slot if a process is killed", async () => {
    const customer = await newCustomer("killed", 1_000_000_000n, { limits: { concurrency: 12 } });
    const long = { stream: true, messages: [{ role: "user", content: "word ".repeat(200) }] };
    const streams = Array.from({ length: 12 }, () => send(customer.secret, long));
    const victims = streams.map(async (stream) => processOf(await stream));
    const running = Promise.all(streams.map((stream) => stream.then((answer) => answer.text()).catch(() => "")));
    process.kill(await Promise.any(victims), "SIGKILL");
    const whole = (await running).filter(isWhole).length;
    expect(whole).toBeLessThan(12);
    await vi.waitUntil(async () => (await heldBy(customer.account)) === 0n, { timeout: 30_000, interval: 200 });
    const charges = await chargesOf(customer.account);
    expect(charges.filter(({ kind }) => kind === "charge").length).toBeGreaterThanOrEqual(whole);
    expect(await stores.balances.verify()).toEqual([]);
    const after = await Promise.all(Array.from({ length: 12 }, () => ask(customer.secret)));
    expect(tally(after)).toEqual({ 200: 12 });
  }, 60_000);

  it("stops with all workers on SIGTERM", async () => {
    cluster.kill("SIGTERM");
    const [code] = await once(cluster, "exit");
    expect(code).toBe(0);
    await expect(fetch(router)).rejects.toThrow();
  }, 30_000);

  async function newCustomer(account: string, balance: bigint, more: Partial<NewKey> = {}) {
    await stores.balances.credit({ id: crypto.randomUUID(), account, amount: balance, reason: formatAmount(balance) });
    const { secret } = await stores.keys.create({ account, plan: "prepaid", ...more });
    return { account, secret };
  }

  function send(secret: string, more: object = {}): Promise<Response> {
    return fetch(`${router}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "echo-1", max_tokens: 10, messages: [{ role: "user", content: "Hi" }], ...more }),
    });
  }

  async function ask(secret: string): Promise<Answer> {
    const response = await send(secret);
    const text = await response.text();
    return { status: response.status, process: /Process (\d+)/.exec(text)?.[1] };
  }

  const heldBy = async (account: string) => (await stores.balances.balance(account)).held;

  async function chargesOf(account: string) {
    const { entries } = await stores.balances.entries({ account, limit: 1_000 });
    return entries.filter(({ kind }) => kind !== "credit");
  }

  async function expectExactLedger(account: string, opening: bigint, answered: number): Promise<void> {
    const charges = await chargesOf(account);
    expect(charges.length).toBe(answered);
    const posted = opening - BigInt(answered) * price;
    expect(await stores.balances.balance(account)).toMatchObject({ posted, held: 0n, available: posted });
    expect(await stores.balances.verify()).toEqual([]);
  }
});

interface Answer {
  readonly status: number;
  /** The id of the process that answered. */
  readonly process: string | undefined;
}

const isWhole = (stream: string) => stream.endsWith("[DONE]\n\n");

/** The id of the process that answers a stream, which is its second word. */
async function processOf(stream: Response): Promise<number> {
  // A loop over the body would wait at its end until the other copy is read, since only then both are canceled.
  const reader = stream.clone().body?.getReader();
  let text = "";
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    text += Buffer.from(part.value).toString();
    const id = /"content":"(\d+) "/.exec(text)?.[1];
    if (id !== undefined) return Number(id);
  }
  throw new Error(`The stream does not name its process: ${text}`);
}

function tally(answers: readonly Answer[]): Partial<Record<number, number>> {
  const counts: Partial<Record<number, number>> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function start(environment: NodeJS.ProcessEnv): ChildProcess {
  const built = fileURLToPath(new URL("../../examples/cluster/dist/main.js", import.meta.url));
  const env = { PATH: process.env["PATH"], ...environment };
  return spawn(process.execPath, [built], { env, stdio: ["ignore", "pipe", "ignore"] });
}

async function firstLine(cluster: ChildProcess): Promise<{ readonly router: string }> {
  if (cluster.stdout === null) throw new Error("The cluster has no output.");
  for await (const line of createInterface(cluster.stdout)) return JSON.parse(line);
  throw new Error("The cluster ended before it listened. Run `node scripts/build.mjs` first.");
}
