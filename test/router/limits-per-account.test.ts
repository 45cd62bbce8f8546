import { memoryLimiter, type Plan } from "@tollgate/core";
import type { Limiter } from "@tollgate/core/store";
import { postgresLimiter } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithPostgres } from "../../packages/postgres/test-support/with-postgres.ts";
import { type Connection, drivers, freshPrefix, onRedis, sharedRedis, withoutRedis } from "../redis/connections.ts";
import { closedGate } from "../support/gate.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

const plans = (limits: NonNullable<Plan["limits"]>): readonly Plan[] => [
  { id: "prepaid", billing: "prepaid", limits: { ...limits, per: "account" } },
  { id: "other", billing: "prepaid", limits: { ...limits, per: "account" } },
];

function limited(limits: NonNullable<Plan["limits"]>, limiter: Limiter = memoryLimiter()): GatewayUnderTest {
  const tested = gatewayUnderTest({ plans: plans(limits), limiter });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return tested;
}

const manyKeys = (tested: GatewayUnderTest, count: number): Promise<readonly string[]> =>
  Promise.all(Array.from({ length: count }, () => tested.key()));

function itGrantsWhatOneKeyWouldGet(limiterOf: () => Limiter | Promise<Limiter>): void {
  it("grants all keys of an account together as many requests as one key, at the same time too", async () => {
    const tested = limited({ requests: { limit: 5 } }, await limiterOf());
    const keys = await manyKeys(tested, 4);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => tested.chat(keys[index % 4] ?? "")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
  });
}

describe("limits per account in memory", () => {
  itGrantsWhatOneKeyWouldGet(memoryLimiter);

  it("count the tokens of all keys of an account together", async () => {
    const tested = limited({ tokens: { limit: 1_500 } });
    const [first = "", second = ""] = await manyKeys(tested, 2);
    const body = { max_tokens: 1_000 };
    tested.provider.script = {
      complete: async () => completionOf("Hi", { prompt_tokens: 900, completion_tokens: 400, total_tokens: 1_300 }),
    };
    expect((await tested.chat(first, body)).status).toBe(200);
    expect((await tested.chat(second, body)).status).toBe(429);
  });

  it("count the concurrent requests of all keys of an account together", async () => {
    const tested = limited({ concurrency: 1 });
    const [first = "", second = ""] = await manyKeys(tested, 2);
    const gate = closedGate();
    tested.provider.script = { complete: () => gate.opened.then(() => completionOf("Hi")) };
    const running = tested.chat(first);
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    expect((await tested.chat(second)).status).toBe(429);
    gate.open();
    expect((await running).status).toBe(200);
    expect((await tested.chat(second)).status).toBe(200);
  });

  it("count other accounts, other plans, and keys with limits of their own apart", async () => {
    const tested = limited({ requests: { limit: 1 } });
    tested.balances.credit({ id: "other", account: "other", amount: 1_000_000_000n, reason: "test" });
    const wanted = [{}, { account: "other" }, { plan: "other" }, { limits: { requests: { limit: 1 } } }];
    for (const each of wanted) expect((await tested.chat(await tested.key(each))).status).toBe(200);
    expect((await tested.chat(await tested.key())).status).toBe(429);
  });

  it("are those of an account with one key too, after it was rotated", async () => {
    const tested = limited({ requests: { limit: 1 } });
    const { key, secret } = await tested.keys.create({ account: "acme", plan: "prepaid" });
    expect((await tested.chat(secret)).status).toBe(200);
    const rotated = await tested.keys.rotate(key.id, { graceMs: 0 });
    expect((await tested.chat(rotated?.secret ?? "")).status).toBe(429);
  });
});

describeWithPostgres("limits per account in PostgreSQL", ({ schema, pool }) => {
  const server = pool();
  itGrantsWhatOneKeyWouldGet(() => postgresLimiter(server, { schema }));
});

describe.skipIf(withoutRedis)(onRedis("limits per account in Redis"), () => {
  let connection: Connection | undefined;
  afterAll(() => connection?.close());
  itGrantsWhatOneKeyWouldGet(async () => {
    connection = await drivers["node-redis"](sharedRedis());
    return redisLimiter(connection.client, { prefix: freshPrefix(), onOutage: "reject", timeoutMs: 5_000 });
  });
});
