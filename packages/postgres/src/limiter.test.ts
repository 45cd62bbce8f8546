import type { Limiter, Reservation } from "@tollgate/core/store";
import { expect, it, vi } from "vitest";
import { losingPool } from "../test-support/losing-pool.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresLimiter } from "./index.ts";

const window = { limit: 100, windowSeconds: 600 };

const reservation = (overrides: Partial<Reservation> = {}): Reservation => ({
  id: crypto.randomUUID(),
  subject: crypto.randomUUID(),
  leaseMs: 60_000,
  ...overrides,
});

describeWithPostgres("limits in PostgreSQL", ({ schema, pool }) => {
  const server = pool();
  const limiter = postgresLimiter(server, { schema });
  const tables = ["request_window", "limit_subject", "limit_reservation"];
  const storedSubject = async ({ id }: Reservation): Promise<string> => {
    const { rows } = await server.query(`SELECT subject FROM "${schema}".limit_reservation WHERE id = $1`, [id]);
    return rows[0].subject;
  };
  const rowsOf = async (stored: string): Promise<number> => {
    const counts = tables.map((name) => `(SELECT count(*) FROM "${schema}".${name} WHERE subject = $1)`);
    const { rows } = await server.query(`SELECT ${counts.join(" + ")} AS rows`, [stored]);
    return Number(rows[0].rows);
  };

  it("count every subject, also names that PostgreSQL cannot store or index", async () => {
    for (const subject of ["", "\0", "\ud800", "\ud801", "a".repeat(100_000), `${"a".repeat(100_000)}b`]) {
      expect(await limiter.countRequest(subject, window)).toMatchObject({ granted: true, state: { remaining: 99 } });
      expect(await limiter.reserve(reservation({ subject, concurrency: 1 }))).toEqual({ granted: true });
    }
  });

  it("count a reservation and a settlement once when their answers are lost", async () => {
    const losing = postgresLimiter(losingPool(server), { schema });
    const granted = async (subject: string, amount: number) => {
      const result = await limiter.reserve(reservation({ subject, concurrency: 2, tokens: { amount, window } }));
      return result.granted;
    };
    for (const amount of [50, 100, 50, 100]) {
      const own = reservation({ concurrency: 2, tokens: { amount, window } });
      expect(await losing.reserve(own)).toEqual({ granted: true });
      expect(await losing.reserve(own)).toEqual({ granted: true });
      expect(await granted(own.subject, 101 - amount)).toBe(false);
      await losing.settle(own, 40);
      expect(await granted(own.subject, 61)).toBe(false);
      expect(await granted(own.subject, 30)).toBe(true);
      expect(await granted(own.subject, 30)).toBe(true);
    }
  });

  it("release a reservation that is granted only after its settlement was sent", async () => {
    const late = reservation({ concurrency: 1, tokens: { amount: 100, window } });
    const next = { ...late, id: crypto.randomUUID() };
    await limiter.settle(reservation({ subject: late.subject }), 0);
    const blocker = await server.connect();
    await blocker.query(`BEGIN; SELECT FROM "${schema}".limit_subject FOR UPDATE`);
    const granted = limiter.reserve(late);
    await expect.poll(waiting).toBe(1);
    const settled = limiter.settle(late, 0);
    await expect.poll(waiting).toBe(2);
    await blocker.query("COMMIT");
    blocker.release();
    expect(await granted).toEqual({ granted: true });
    await settled;
    expect(await limiter.reserve(next)).toEqual({ granted: true });
  });

  it("run a hundred calls of every kind at the same time without an error", async () => {
    const watched = [pool(), pool()].map((each) => watchedPool(each));
    const clients = watched.map((each) => postgresLimiter(each, { schema }));
    const subjects = Array.from({ length: 4 }, () => crypto.randomUUID());
    const others = Array.from({ length: 5 }, () => reservation({ concurrency: 1 }));
    for (const other of others) await limiter.reserve(other);
    const use = async (client: Limiter, index: number): Promise<void> => {
      const subject = subjects[index % subjects.length] ?? "";
      // Leases end at once, so that reservations drop those of others.
      const own = reservation({ subject, leaseMs: 1, concurrency: 3, tokens: { amount: 1, window } });
      await client.countRequest(subject, window);
      await client.reserve(own);
      await client.renew(index % 2 === 0 ? [own, ...others] : [...others.toReversed(), own]);
      await client.settle({ ...own, tokens: undefined }, 0);
      await client.settle(own, 2);
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => use(clients[index % 8 < 4 ? 0 : 1] ?? limiter, index)));
    expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
    for (const subject of subjects) {
      const all = Array.from({ length: 3 }, () => limiter.reserve(reservation({ subject, concurrency: 3 })));
      expect(await Promise.all(all)).toEqual([{ granted: true }, { granted: true }, { granted: true }]);
    }
  });

  it("renew without waiting for reservations that other calls have locked", async () => {
    const [locked, free] = [reservation({ concurrency: 1 }), reservation({ concurrency: 1, leaseMs: 1 })];
    for (const each of [locked, free]) await limiter.reserve(each);
    const blocker = await server.connect();
    await blocker.query(`BEGIN; SELECT FROM "${schema}".limit_reservation WHERE id = '${locked.id}' FOR UPDATE`);
    await limiter.renew([locked, { ...free, leaseMs: 60_000 }]);
    expect(await limiter.reserve({ ...free, id: crypto.randomUUID() })).toMatchObject({ refusedBy: "concurrency" });
    await blocker.query("COMMIT");
    blocker.release();
  });

  it("drop a slot whose lease has ended only when another reservation needs it", async () => {
    for (const isRenewed of [true, false]) {
      const shared = { subject: crypto.randomUUID(), concurrency: 20 };
      const next = () => limiter.reserve(reservation(shared));
      const late = reservation({ ...shared, leaseMs: 1 });
      await limiter.reserve(late);
      await Promise.all(Array.from({ length: 19 }, next));
      if (isRenewed) await limiter.renew([{ ...late, leaseMs: 60_000 }]);
      else expect(await next()).toEqual({ granted: true });
      await limiter.renew([{ ...late, leaseMs: 60_000 }]);
      expect(await next()).toMatchObject({ refusedBy: "concurrency" });
      await limiter.settle(late, 0);
      expect((await next()).granted).toBe(isRenewed);
    }
  });

  it("remove what has expired in the background, and nothing else", async () => {
    const used = () => reservation({ concurrency: 1, tokens: { amount: 60, window } });
    const both = [used(), used()] as const;
    for (const own of both) {
      await limiter.countRequest(own.subject, { limit: 1, windowSeconds: 60 });
      await limiter.reserve(own);
    }
    const [ended, kept] = [await storedSubject(both[0]), await storedSubject(both[1])];
    for (const column of ["request_window SET resets_at", "limit_subject SET expires_at"])
      await server.query(`UPDATE "${schema}".${column} = 0 WHERE subject = $1`, [ended]);
    // The row of a subject stays as long as one of its reservations can be settled or renewed.
    await limiterThatRemoves().countRequest(crypto.randomUUID(), window);
    await expect.poll(() => rowsOf(ended)).toBe(2);
    await server.query(
      `UPDATE "${schema}".limit_reservation SET expires_at = 0, lease_ends_at = 0 WHERE subject = $1`,
      [ended],
    );
    await vi.waitFor(
      async () => {
        await limiterThatRemoves().countRequest(crypto.randomUUID(), window);
        expect(await rowsOf(ended)).toBe(0);
      },
      { timeout: 10_000 },
    );
    expect(await rowsOf(kept)).toBe(3);
    for (const [own, isGranted] of [
      [both[0], true],
      [both[1], false],
    ] as const) {
      await limiter.settle(own, 60);
      const more = reservation({ subject: own.subject, tokens: { amount: 41, window } });
      expect((await limiter.reserve(more)).granted).toBe(isGranted);
    }
  });

  it("remove a backlog batch by batch, without a call that waits for it", async () => {
    await server.query(
      `INSERT INTO "${schema}".request_window SELECT gen_random_uuid(), 60, 1, 1, 0 FROM generate_series(1, 2500) AS id`,
    );
    const removing = limiterThatRemoves();
    const left = async () => {
      await removing.countRequest("one", window);
      const { rows } = await server.query(
        `SELECT count(*)::int AS rows FROM "${schema}".request_window WHERE resets_at = 0`,
      );
      return rows[0].rows;
    };
    expect(await left()).toBeGreaterThanOrEqual(500);
    await expect.poll(left).toBe(0);
  });

  it("reject while the database is unavailable, and never grant", async () => {
    const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const unavailable = postgresLimiter(
      watchedPool(server, () => Promise.reject(lost)),
      { schema },
    );
    const own = reservation({ concurrency: 1 });
    const calls = [
      unavailable.countRequest("s", window),
      unavailable.reserve(own),
      unavailable.settle(own, 0),
      unavailable.renew([own]),
    ];
    for (const result of await Promise.allSettled(calls)) expect(result).toEqual({ status: "rejected", reason: lost });
  });

  it("name a schema that was never migrated", async () => {
    const nowhere = postgresLimiter(server, { schema: "test_nowhere" });
    const missing = 'The schema "test_nowhere" has no Tollgate tables';
    await expect(nowhere.countRequest("s", window)).rejects.toThrow(missing);
    await expect(nowhere.reserve(reservation({ concurrency: 1 }))).rejects.toThrow(missing);
  });

  /** A new limiter removes a batch at its first call. */
  const limiterThatRemoves = () => postgresLimiter(server, { schema });

  const waiting = async () => {
    const { rows } = await server.query(
      `SELECT count(*)::int AS calls FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"${schema}"%'`,
    );
    return rows[0].calls;
  };
});
