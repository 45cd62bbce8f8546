import { memoryLimiter } from "@tollgate/core";
import type { Limiter, LimitState, Reservation, Window } from "@tollgate/core/store";
import { migratePostgres, postgresLimiter } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import fc from "fast-check";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  type Connection,
  drivers,
  dropKeys,
  freshPrefix,
  onRedis,
  sharedRedis,
  withoutRedis,
} from "../redis/connections.ts";

/** One call. A number refers to an earlier reservation. */
type Step =
  | { readonly call: "count"; readonly subject: string; readonly window: Window }
  | {
      readonly call: "reserve";
      readonly subject: string;
      readonly tokens: Tokens | null;
      readonly places: number | null;
    }
  | { readonly call: "settle"; readonly which: number; readonly used: number }
  | { readonly call: "renew"; readonly which: readonly number[] };
type Tokens = { readonly amount: number; readonly window: Window };

// Windows and leases are long, so that none ends during a test.
const window = (limits: readonly number[]) =>
  fc.record({ limit: fc.constantFrom(...limits), windowSeconds: fc.constantFrom(3_600, 3_600, 7_200) });
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -5, max: 60 }) },
  fc.constantFrom(150, Number.NaN, Number.POSITIVE_INFINITY),
);
const subject = fc.constantFrom("one", "other");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ call: fc.constant("count"), subject, window: window([0, 1, 4]) }),
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant("reserve"),
      subject,
      tokens: fc.option(fc.record({ amount, window: window([0, 20, 100, 100, 100]) })),
      places: fc.option(fc.integer({ min: 0, max: 4 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("settle"), which: fc.nat(40), used: amount }) },
  fc.record({ call: fc.constant("renew"), which: fc.array(fc.nat(40), { maxLength: 4 }) }),
);

describe.skipIf(withoutRedis)(onRedis("the limiter in Redis"), () => {
  const prefix = freshPrefix();
  let connection: Connection;
  beforeAll(async () => {
    connection = await drivers["node-redis"](sharedRedis());
  });
  afterAll(async () => {
    await dropKeys(connection, prefix);
    connection.close();
  });

  it("returns the same results as the memory limiter for every sequence of calls", async () => {
    await expectSameAsMemory(redisLimiter(connection.client, { prefix, onOutage: "reject", timeoutMs: 5_000 }));
  }, 60_000);
});

const postgres = inject("postgres");
describe.skipIf(postgres === undefined)("the limiter in PostgreSQL", () => {
  const schema = `limits_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: postgres, max: 1 });
  pool.on("error", () => undefined);
  beforeAll(() => migratePostgres(pool, { schema }));
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });

  it("returns the same results as the memory limiter for every sequence of calls", async () => {
    await expectSameAsMemory(postgresLimiter(pool, { schema }));
  }, 60_000);
});

async function expectSameAsMemory(limiter: Limiter): Promise<void> {
  const scripts = fc.array(step, { minLength: 10, maxLength: 60, size: "max" });
  const property = fc.asyncProperty(scripts, async (script) => {
    expect(await play(script, limiter)).toEqual(await play(script, memoryLimiter()));
  });
  await fc.assert(property, { numRuns: 60 });
}

async function play(script: readonly Step[], limiter: Limiter): Promise<unknown[]> {
  const run = crypto.randomUUID();
  const reservations: Reservation[] = [];
  const results: unknown[] = [];
  for (const each of script) results.push(await playOne(each, limiter, run, reservations));
  return results;
}

async function playOne(step: Step, limiter: Limiter, run: string, reservations: Reservation[]): Promise<unknown> {
  if (step.call === "settle") {
    const reservation = reservations[step.which % reservations.length];
    return reservation && limiter.settle(reservation, step.used);
  }
  if (step.call === "renew") {
    return limiter.renew(step.which.flatMap((which) => reservations[which % reservations.length] ?? []));
  }
  const subject = `${step.subject}-${run}`;
  if (step.call === "count") {
    const { granted, state } = await limiter.countRequest(subject, step.window);
    return { granted, ...comparable(state) };
  }
  const reservation: Reservation = {
    id: crypto.randomUUID(),
    subject,
    leaseMs: 600_000,
    tokens: step.tokens ?? undefined,
    concurrency: step.places ?? undefined,
  };
  reservations.push(reservation);
  const result = await limiter.reserve(reservation);
  return result.granted ? result : { refusedBy: result.refusedBy, ...comparable(result.state) };
}

/** Rounds a reset to the nearest minute, since the clocks and the durations of the calls differ. */
function comparable({ limit, remaining, resetAt, now }: LimitState): object {
  return { limit, remaining, minutes: Math.round((resetAt - now) / 60_000) };
}
