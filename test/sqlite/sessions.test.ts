import { type SqliteDatabase, sqliteSessionStore, sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { logOf, newSession, newTurn, said } from "./session.ts";
import { temporaryDatabase, withStatements } from "./temporary-database.ts";

const image = "https://images.example/1.png";

describe("a session", () => {
  it("is unchanged after its database is reopened, including its lock", async () => {
    const { connect } = temporaryDatabase();
    const first = connect();
    const before = sqliteStores(first).sessions;
    const wanted = newSession({ clientData: { user: { name: "Ann" } } });
    await before.create(wanted);
    const [past, running] = [newTurn(), newTurn()];
    await before.beginTurn(wanted, past);
    await before.endTurn(wanted, { turnId: past.turnId, messages: [said("one"), said("two")], images: [image] });
    await before.merge(wanted, [["size", 42]]);
    await before.appendLog(wanted, logOf("log-1"));
    await before.beginTurn(wanted, running);
    const [session, messages] = [await before.find(wanted), await before.messages(wanted, { limit: 10 })];
    first.close();

    const after = sqliteStores(connect()).sessions;
    expect(session).toMatchObject({ clientData: { user: { name: "Ann" }, size: 42 } });
    expect(await after.find(wanted)).toEqual(session);
    expect(messages?.messages.map(({ message }) => message)).toEqual([said("one"), said("two")]);
    expect(await after.messages(wanted, { limit: 10 })).toEqual(messages);
    expect(await after.logs(wanted, { limit: 10 })).toEqual({ logs: [{ sequence: 1, log: logOf("log-1") }] });
    expect(await after.beginTurn(wanted, newTurn())).toEqual({ outcome: "busy" });
    expect(await after.endTurn(wanted, { turnId: running.turnId, messages: [said("three")], images: [] })).toBe(true);
    const begun = await after.beginTurn(wanted, newTurn({ historyLimit: 2 }));
    expect(begun).toMatchObject({ outcome: "begun", images: [image], messages: [said("three")] });
  });

  it("stores texts that SQLite would truncate or change", async () => {
    const { sessions } = sqliteStores(temporaryDatabase().connect());
    const texts = ["a\0b", "\ud800", "a\udc00b", "it's", "$&", "\u0001\r\n", "日本 😀", "", "%_"];
    const clientData = Object.fromEntries([...texts, "__proto__"].map((text) => [text, text]));
    const wanted = newSession({ clientData });
    expect(await sessions.create(wanted)).toMatchObject({ session: { clientData } });
    const [turn, messages] = [newTurn(), texts.map(said)];
    await sessions.beginTurn(wanted, turn);
    await sessions.endTurn(wanted, { turnId: turn.turnId, messages, images: texts });
    await sessions.appendLog(wanted, { ...logOf("log-1"), warnings: texts });
    const begun = await sessions.beginTurn(wanted, newTurn());
    expect(begun).toMatchObject({ outcome: "begun", session: { clientData }, images: texts, messages });
    expect(await sessions.logs(wanted, { limit: 1 })).toMatchObject({ logs: [{ log: { warnings: texts } }] });
    const merged = await sessions.merge(wanted, [["a\0b", "c\0d"]]);
    expect(merged).toMatchObject({ session: { clientData: { ...clientData, "a\0b": "c\0d" } } });
  });

  it("cannot be found or created with an id or account that SQLite cannot store", async () => {
    const { sessions } = sqliteStores(temporaryDatabase().connect());
    const wanted = newSession();
    await sessions.create(wanted);
    for (const invalid of ["a\0", "\ud800", `${wanted.id}\0`]) {
      for (const ref of [
        { id: invalid, account: "a" },
        { id: wanted.id, account: invalid },
      ]) {
        expect(await sessions.find(ref)).toBeUndefined();
        expect(await sessions.merge(ref, [])).toEqual({ outcome: "unknown" });
        expect(await sessions.beginTurn(ref, newTurn())).toEqual({ outcome: "unknown" });
        expect(await sessions.appendLog(ref, logOf("log-1"))).toBe(false);
        expect(await sessions.messages(ref, { limit: 1 })).toBeUndefined();
        expect(await sessions.logs(ref, { limit: 1 })).toBeUndefined();
        expect(await sessions.delete(ref)).toBe(false);
        await expect(sessions.create({ ...wanted, ...ref })).rejects.toThrow(RangeError);
      }
    }
  });

  it("keeps its updatedAt if a merge changes nothing", async () => {
    const { sessions } = sqliteStores(temporaryDatabase().connect());
    const wanted = newSession({ clientData: { a: 1, b: [{ c: "d" }] } });
    await sessions.create(wanted);
    const created = await sessions.find(wanted);
    while (Date.now() === created?.updatedAt.getTime());
    for (const changes of [[], [["b", [{ c: "d" }]]], [["never", null]]] as const) {
      expect(await sessions.merge(wanted, changes)).toEqual({ outcome: "merged", session: created });
    }
  });

  it("allows the turn that has the lock to begin again", async () => {
    const { sessions } = sqliteStores(temporaryDatabase().connect());
    const [wanted, turn] = [newSession(), newTurn()];
    await sessions.create(wanted);
    const begun = await sessions.beginTurn(wanted, turn);
    expect(begun).toMatchObject({ outcome: "begun" });
    expect(await sessions.beginTurn(wanted, turn)).toEqual(begun);
  });

  it.each([2, 3])("has no page if another process deletes it before statement %i of the query", async (last) => {
    const { connect } = temporaryDatabase();
    const [sessions, other] = [sqliteSessionStore(connect()), connect()];
    const wanted = newSession();
    await sessions.create(wanted);
    const turn = newTurn();
    await sessions.beginTurn(wanted, turn);
    await sessions.endTurn(wanted, { turnId: turn.turnId, messages: [said("one")], images: [] });
    // Statements of the migration do not count.
    let statements = Number.NEGATIVE_INFINITY;
    const beforeStatement = () => {
      if (++statements === last) other.exec("PRAGMA foreign_keys = ON; DELETE FROM tollgate_session");
    };
    const interrupted = withStatements(connect(), (original) => ({
      get: (...given) => {
        beforeStatement();
        return original.get(...given);
      },
      all: (...given) => {
        beforeStatement();
        return original.all(...given);
      },
    }));
    const reader = sqliteSessionStore(interrupted);
    statements = 0;
    expect(await reader.messages(wanted, { limit: 1 })).toBeUndefined();
    expect(statements).toBe(3);
  });

  it("is deleted with all its rows, and no rows of another session", async () => {
    const database = temporaryDatabase().connect();
    const sessions = sqliteSessionStore(database);
    const [first, second] = [newSession(), newSession()];
    for (const wanted of [first, second]) {
      await sessions.create(wanted);
      const turn = newTurn();
      await sessions.beginTurn(wanted, turn);
      await sessions.endTurn(wanted, { turnId: turn.turnId, messages: [said("one")], images: [image] });
      await sessions.appendLog(wanted, logOf("log-1"));
    }
    expect(await sessions.delete(first)).toBe(true);
    expect(rowsOf(database)).toEqual([1n, 1n, 1n, 1n]);
    expect(await sessions.delete(second)).toBe(true);
    expect(rowsOf(database)).toEqual([0n, 0n, 0n, 0n]);
  });

  it("keeps its newest thousand logs, and their sequence numbers continue", async () => {
    const database = temporaryDatabase().connect();
    const sessions = sqliteSessionStore(database);
    const [first, second] = [newSession(), newSession()];
    await sessions.create(first);
    await sessions.create(second);
    await sessions.appendLog(second, logOf("log-1"));
    await Promise.all(Array.from({ length: 1_003 }, (_, at) => sessions.appendLog(first, logOf(`log-${at + 1}`))));
    const page = await sessions.logs(first, { limit: 2_000 });
    expect(page?.logs.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1_000 }, (_, at) => 1_003 - at));
    expect(page?.logs.at(-1)?.log.id).toBe("log-4");
    expect(await sessions.logs(first, { limit: 5, before: 4 })).toEqual({ logs: [] });
    expect((await sessions.logs(second, { limit: 5 }))?.logs).toHaveLength(1);
  });
});

it("rejects numbers that SQLite would interpret differently", async () => {
  const { sessions } = sqliteStores(temporaryDatabase().connect());
  const wanted = newSession();
  await sessions.create(wanted);
  for (const invalid of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => sessions.create(newSession({ ttlMs: invalid }))).toThrow(/ttlMs must be/);
    expect(() => sessions.beginTurn(wanted, newTurn({ leaseMs: invalid }))).toThrow(/leaseMs must be/);
    expect(() => sessions.beginTurn(wanted, newTurn({ historyLimit: invalid }))).toThrow(/historyLimit must be/);
    expect(() => sessions.messages(wanted, { limit: invalid })).toThrow(/limit must be/);
    expect(() => sessions.messages(wanted, { limit: 1, after: invalid })).toThrow(/after must be/);
    expect(() => sessions.logs(wanted, { limit: 1, before: invalid })).toThrow(/before must be/);
  }
});

it("names the column if another program changed it", async () => {
  const database = temporaryDatabase().connect();
  const { sessions } = sqliteStores(database);
  const wanted = newSession();
  await sessions.create(wanted);
  database.exec("UPDATE tollgate_session SET client_data = '[]'");
  expect(() => sessions.find(wanted)).toThrow(/column client_data .*another program changed/);
});

/** The numbers of rows of sessions, messages, images and logs. */
function rowsOf(database: SqliteDatabase): unknown[] {
  return ["", "_message", "_image", "_log"].map((name) => {
    const count = database.prepare(`SELECT count(*) AS rows FROM tollgate_session${name}`);
    count.setReadBigInts(true);
    return Object.values(count.get() ?? {})[0];
  });
}
