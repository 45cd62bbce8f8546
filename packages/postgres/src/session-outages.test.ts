import type { SessionRef, SessionStore } from "@tollgate/core/store";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { begunTurn, gone, lockWaiters, logOf, newSession, said, turnRequest } from "../test-support/conversing.ts";
import { losingPool } from "../test-support/losing-pool.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresSessionStore } from "./index.ts";

describeWithPostgres("when the response of a session statement is lost", ({ schema, pool }) => {
  const server = pool();
  const [store, lossy] = [server, losingPool(server)].map((each) => postgresSessionStore(each, { schema }));
  if (store === undefined || lossy === undefined) throw new TypeError("Two stores are expected.");

  it("a session is created, merged and deleted once", async () => {
    const attributes = {
      id: crypto.randomUUID(),
      account: "lost",
      assistantId: "a-1",
      clientData: {},
      ttlMs: 3_600_000,
    };
    const session = { id: attributes.id, account: attributes.account };
    expect((await lossy.create(attributes)).outcome).toBe("created");
    await expect(lossy.create(attributes)).rejects.toThrow("is already in use");
    const merged = await lossy.merge(session, [["a", 1]]);
    expect(merged.outcome === "merged" && merged.session.clientData).toEqual({ a: 1 });
    expect(await lossy.delete(session)).toBe(true);
    expect(await lossy.delete(session)).toBe(false);
    expect(await countRows(server, schema, session)).toEqual({ session: 0, session_message: 0, session_log: 0 });
  });

  it("a turn begins and ends once, and a log is added once", async () => {
    const session = await newSession(lossy);
    const turn = turnRequest();
    expect((await lossy.beginTurn(session, turn)).outcome).toBe("begun");
    expect((await lossy.beginTurn(session, turn)).outcome).toBe("busy");
    expect(await lossy.renewTurn(session, { ...turn, leaseMs: 60_000 })).toBe(true);
    expect(await lossy.appendLog(session, logOf(session, "once"))).toBe(true);
    const end = { ...turn, messages: [said("once")], images: ["https://images.example/1"] };
    expect(await lossy.endTurn(session, end)).toBe(true);
    expect(await lossy.endTurn(session, end)).toBe(false);
    expect(await store.beginTurn(session, turnRequest())).toMatchObject({ messages: end.messages, images: end.images });
    expect(await countRows(server, schema, session)).toEqual({ session: 1, session_message: 1, session_log: 1 });
  });
});

describeWithPostgres("when the server ends the connection during a call", ({ schema, pool }) => {
  const server = pool();
  const store = postgresSessionStore(server, { schema });

  it("the end of a turn is rolled back, and can be repeated", async () => {
    const session = await newSession(store);
    const turnId = await begunTurn(store, session);
    const end = { turnId, messages: [said("a"), said("b")], images: ["https://images.example/1"] };
    await expectRolledBack(
      `INSERT INTO "${schema}".session_images (session_id, turn, urls) VALUES ($1, 1, '[]')`,
      session,
      (broken) => broken.endTurn(session, end),
    );
    expect((await store.messages(session, { limit: 10 }))?.messages).toEqual([]);
    expect(await store.beginTurn(session, turnRequest())).toEqual({ outcome: "busy" });
    expect(await store.endTurn(session, end)).toBe(true);
    expect(await store.beginTurn(session, turnRequest())).toMatchObject({ messages: end.messages, images: end.images });
  });

  it("a log is not added, and the next log gets its number", async () => {
    const session = await newSession(store);
    await expectRolledBack(
      `INSERT INTO "${schema}".session_log (session_id, sequence, call, log) VALUES ($1, 1, 'x', '{}')`,
      session,
      (broken) => broken.appendLog(session, logOf(session, "lost")),
    );
    expect(await store.appendLog(session, logOf(session, "kept"))).toBe(true);
    const { logs = [] } = { ...(await store.logs(session, { limit: 10 })) };
    expect(logs.map(({ sequence, log }) => [sequence, log.trigger])).toEqual([[1, "kept"]]);
  });

  it("a sweep removes nothing, and the next sweep removes everything", async () => {
    const session = await newSession(store);
    await store.appendLog(session, logOf(session, "kept"));
    await server.query(`UPDATE "${schema}".session SET expires_at = now() WHERE id = $1`, [session.id]);
    const lock = `SELECT 1 FROM "${schema}".session_log WHERE session_id = $1 FOR UPDATE`;
    await expectRolledBack(lock, session, (broken) => broken.expire());
    expect(await countRows(server, schema, session)).toEqual({ session: 1, session_message: 0, session_log: 1 });
    expect(await store.expire()).toBe(1);
    expect(await countRows(server, schema, session)).toEqual({ session: 0, session_message: 0, session_log: 0 });
  });

  /**
   * Makes a call wait for the rows that the statement `lock` has locked, ends its connection, and blocks every
   * reconnection.
   */
  async function expectRolledBack(
    lock: string,
    ref: SessionRef,
    call: (broken: SessionStore) => unknown,
  ): Promise<void> {
    const application = `interrupted ${crypto.randomUUID()}`;
    let statements = 0;
    const broken = watchedPool(pool({ application_name: application }), () => {
      if (statements++ > 0) throw new Error("No reconnection.");
    });
    const blocker = await server.connect();
    try {
      await blocker.query("BEGIN");
      await blocker.query(lock, [ref.id]);
      const rejection = expect(call(postgresSessionStore(broken, { schema }))).rejects.toThrow("No reconnection.");
      const [pid] = await lockWaiters(server, application, 1);
      await server.query("SELECT pg_terminate_backend($1)", [pid]);
      await rejection;
      // The client learns of the end before the server has released the locks.
      await gone(server, pid);
      await blocker.query("ROLLBACK");
    } finally {
      blocker.release();
    }
  }
});

async function countRows(server: Pool, schema: string, { id }: SessionRef): Promise<Record<string, number>> {
  const count = async (table: string, column: string) => {
    const { rows } = await server.query(`SELECT 1 FROM "${schema}".${table} WHERE ${column} = $1`, [id]);
    return rows.length;
  };
  return {
    session: await count("session", "id"),
    session_message: await count("session_message", "session_id"),
    session_log: await count("session_log", "session_id"),
  };
}
