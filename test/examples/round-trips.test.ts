import { setImmediate as nextTurn } from "node:timers/promises";
import { createGateway, type Gateway, parseAmount } from "@tollgate/core";
import type { Limiter, Limits } from "@tollgate/core/store";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";

const databaseUrl = inject("postgres");
const redisUrl = inject("redis");
const schema = `trips_${crypto.randomUUID().slice(0, 8)}`;

/** Lets a number of calls of a store pass, and holds all others until the next number is set. */
class Turnstile {
  #left = Number.POSITIVE_INFINITY;
  #held: (() => void)[] = [];

  get holds(): boolean {
    return this.#held.length > 0;
  }

  set passes(count: number) {
    this.#left = count;
    for (const release of this.#held.splice(0)) release();
  }

  async pass(): Promise<void> {
    if (this.#left === 0) await new Promise<void>((resolve) => this.#held.push(resolve));
    else this.#left -= 1;
  }
}

describe.skipIf(databaseUrl === undefined || redisUrl === undefined)("round trips (need PostgreSQL and Redis)", () => {
  const toPostgres = new Turnstile();
  const toRedis = new Turnstile();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 }).on("error", () => undefined);
  const redis = createClient({ url: redisUrl ?? "" }).on("error", () => undefined);
  let stores: PostgresStores;
  let gateway: Gateway;
  let postgresOnly: Gateway;

  beforeAll(async () => {
    await redis.connect();
    const counted = {
      query: async (statement: { text: string; values?: unknown[] }) => {
        await toPostgres.pass();
        return pool.query(statement);
      },
      connect: () => pool.connect(),
    };
    const scripts = {
      eval: (script: string, options: { keys: string[]; arguments: string[] }) => redis.eval(script, options),
      evalSha: async (sha: string, options: { keys: string[]; arguments: string[] }) => {
        await toRedis.pass();
        return redis.evalSha(sha, options);
      },
    };
    stores = await postgresStores(counted, { schema });
    const open = (limiter: Limiter) =>
      createGateway({
        keys: stores.keys,
        balances: stores.balances,
        limiter,
        storeTimeoutMs: 60_000,
        plans: [
          { id: "prepaid", billing: "prepaid" },
          { id: "subscription", billing: "none" },
        ],
        models: [
          {
            id: "m",
            maxOutputTokens: 100,
            price: { input: "1", output: "2" },
            targets: [{ provider: shoutingProvider(), model: "m" }],
          },
        ],
      });
    gateway = open(redisLimiter(scripts, { prefix: schema, timeoutMs: 60_000 }));
    postgresOnly = open(stores.limiter);
    await stores.balances.credit({ id: schema, account: schema, amount: parseAmount("5"), reason: "test" });
  });

  afterAll(async () => {
    toPostgres.passes = toRedis.passes = Number.POSITIVE_INFINITY;
    await gateway.drain();
    await postgresOnly.drain();
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await stores.close();
    await pool.end();
    redis.destroy();
  });

  const bounded: Limits = { requests: { limit: 1_000 }, tokens: { limit: 1_000_000 }, concurrency: 10 };

  async function newKey(plan: string, limits: Limits = bounded) {
    const { secret } = await stores.keys.create({ account: schema, plan, limits });
    return secret;
  }

  async function ask(secret: string, stream = false, asked = gateway): Promise<string> {
    const answer = await asked.fetch(
      new Request("http://host.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "Hi" }] }),
      }),
    );
    expect(answer.status).toBe(200);
    return answer.text();
  }

  /** Checks that an answer comes with so many calls of a store, and does not come with one call less. */
  async function expectTrips(turnstile: Turnstile, count: number, send: () => Promise<string>): Promise<void> {
    turnstile.passes = count;
    await send();
    turnstile.passes = Number.POSITIVE_INFINITY;
    await vi.waitUntil(() => gateway.inFlight() + postgresOnly.inFlight() === 0, { timeout: 10_000 });
    if (count === 0) return;
    turnstile.passes = count - 1;
    let isAnswered = false;
    const sent = send().then(() => {
      isAnswered = true;
    });
    await vi.waitUntil(() => turnstile.holds, { timeout: 10_000 });
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(isAnswered).toBe(false);
    turnstile.passes = Number.POSITIVE_INFINITY;
    await sent;
    await vi.waitUntil(() => gateway.inFlight() + postgresOnly.inFlight() === 0, { timeout: 10_000 });
  }

  it.each([
    ["prepaid", false, 2],
    ["prepaid", true, 2],
    ["subscription", false, 0],
  ])(
    "a request of a cached key on a %s plan (stream: %s) waits for PostgreSQL %s times",
    async (plan, stream, count) => {
      const secret = await newKey(plan);
      await ask(secret);
      await expectTrips(toPostgres, count, () => ask(secret, stream));
    },
  );

  it("a key that is not cached takes one more", async () => {
    const secrets = [await newKey("prepaid"), await newKey("prepaid")];
    await expectTrips(toPostgres, 3, () => ask(secrets.pop() ?? ""));
  });

  it.each<[count: number, limits: Limits]>([
    [2, bounded],
    [1, { requests: { limit: 1_000 } }],
    [0, {}],
  ])("a request waits for Redis %s times with the limits %o", async (count, limits) => {
    const secret = await newKey("prepaid", limits);
    await ask(secret);
    await expectTrips(toRedis, count, () => ask(secret));
  });

  it("a request with all limits waits for PostgreSQL two times more if it counts them", async () => {
    const secret = await newKey("prepaid");
    await ask(secret, false, postgresOnly);
    await expectTrips(toPostgres, 4, () => ask(secret, false, postgresOnly));
  });
});
