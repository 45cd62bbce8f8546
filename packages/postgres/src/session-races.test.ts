import type { SessionStore } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { tally } from "../test-support/booking.ts";
import { begunTurn, lockWaiters, logOf, newSession, said, turnRequest } from "../test-support/conversing.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresSessionStore } from "./index.ts";

describeWithPostgres("sessions that two processes share", ({ schema, pool }) => {
  const server = pool();
  const application = `sessions ${schema}`;
  const pools = [pool({ application_name: application }), pool({ application_name: application })] as const;
  const [store, other] = [postgresSessionStore(pools[0], { schema }), postgresSessionStore(pools[1], { schema })];

  it("give a turn the messages of an earlier turn that ends while it waits for the lock", async () => {
    const session = await newSession(store);
    const late = await begunTurn(store, session, 0);
    const blocker = await server.connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM "${schema}".session WHERE id = $1 FOR UPDATE`, [session.id]);
    const ended = store.endTurn(session, { turnId: late, messages: [said("late")], images: ["late"] });
    await lockWaiters(server, application, 1);
    // Its snapshot is older than the end and shows an expired lease.
    const begun = other.beginTurn(session, turnRequest());
    await lockWaiters(server, application, 2);
    await blocker.query("COMMIT");
    blocker.release();
    expect(await ended).toBe(true);
    expect(await begun).toMatchObject({ outcome: "begun", messages: [said("late")], images: ["late"] });
  });

  it("refuse a turn that waits while another turn takes the lock", async () => {
    const session = await newSession(store);
    const blocker = await server.connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM "${schema}".session WHERE id = $1 FOR UPDATE`, [session.id]);
    const starts = [store, other, store, other].map(async (each) => each.beginTurn(session, turnRequest()));
    await lockWaiters(server, application, 4);
    await blocker.query("COMMIT");
    blocker.release();
    expect(tally(await Promise.all(starts))).toEqual({ begun: 1, busy: 3 });
  });

  it("lose none of 200 concurrent merges, and run few extra statements", async () => {
    const watched = pools.map((each) => watchedPool(each));
    const stores = watched.map((each) => postgresSessionStore(each, { schema }));
    const session = await newSession(store);
    const results = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => stores[index % 2]?.merge(session, [[`key-${index}`, index]])),
    );
    expect(results.every((result) => result?.outcome === "merged")).toBe(true);
    expect(Object.keys((await store.find(session))?.clientData ?? {})).toHaveLength(200);
    // Two statements per merge, and two more for each merge that is retried because the other process has merged.
    expect(watched.flatMap(({ statements }) => statements).length).toBeLessThanOrEqual(800);
  });

  it("keep the newest 1,000 logs under concurrent additions", async () => {
    const session = await newSession(store);
    await server.query({
      text: `WITH made AS (UPDATE "${schema}".session SET last_log = 1000 WHERE id = $1 RETURNING id)
             INSERT INTO "${schema}".session_log (session_id, sequence, call, log)
             SELECT id, n, gen_random_uuid()::text, $2 FROM made, generate_series(1, 1000) AS n`,
      values: [session.id, JSON.stringify(logOf(session, "old"))],
    });
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        [store, other][index % 2]?.appendLog(session, logOf(session, `new ${index}`)),
      ),
    );
    const { logs = [], next } = { ...(await store.logs(session, { limit: 1_000 })) };
    expect([logs.length, logs[0]?.sequence, logs.at(-1)?.sequence, next]).toEqual([1_000, 1_040, 41, undefined]);
    const { rows } = await server.query(
      `SELECT min(sequence)::int AS first, count(*)::int FROM "${schema}".session_log WHERE session_id = $1`,
      [session.id],
    );
    expect(rows).toEqual([{ first: 41, count: 1_000 }]);
  });

  it("are swept in bounded steps that skip locked sessions", async () => {
    const gone = await Promise.all(Array.from({ length: 4 }, () => newSession(store)));
    const [held] = gone;
    await server.query(`UPDATE "${schema}".session SET expires_at = now(), last_message = 900 WHERE id = ANY ($1)`, [
      gone.map(({ id }) => id),
    ]);
    const blocker = await server.connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM "${schema}".session WHERE id = $1 FOR UPDATE`, [held?.id]);
    const watched = watchedPool(pools[0]);
    expect(await postgresSessionStore(watched, { schema }).expire()).toBe(3);
    // Two sessions in the first step, which reaches its limit of rows, one in the second, none in the last.
    expect(watched.statements).toHaveLength(3);
    await blocker.query("COMMIT");
    blocker.release();
    expect(await other.expire()).toBe(1);
  });

  it("do not deadlock under any combination of calls", async () => {
    const watched = pools.map((each) => watchedPool(each));
    const busy = watched.map((each) => postgresSessionStore(each, { schema }));
    const sessions = await Promise.all([1, 2, 3].map(() => newSession(store)));
    const end = Date.now() + 2_000;
    let round = 0;
    const work = async (each: SessionStore) => {
      while (Date.now() < end) {
        const at = round++;
        const session = sessions[at % sessions.length] ?? (await newSession(store));
        const turnId = crypto.randomUUID();
        const brief = await newSession(each, { ttlMs: 1 + (at % 3) });
        const start = await each.beginTurn(session, { turnId, leaseMs: at % 4 === 0 ? 1 : 60_000, historyLimit: 10 });
        await Promise.all([
          each.merge(session, [[`key-${at % 20}`, at]]),
          each.appendLog(brief, logOf(brief, "brief")),
          each.appendLog(session, logOf(session, "busy")),
          each.expire(),
          at % 5 === 0 && each.delete(brief),
          start.outcome === "begun" && each.endTurn(session, { turnId, messages: [said(`${at}`)], images: [] }),
        ]);
      }
    };
    await Promise.all(busy.flatMap((each) => Array.from({ length: 8 }, () => work(each))));
    expect(round).toBeGreaterThanOrEqual(16);
    expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
    for (const session of sessions) {
      const { messages = [] } = { ...(await store.messages(session, { limit: 10_000 })) };
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
    }
  });
});
