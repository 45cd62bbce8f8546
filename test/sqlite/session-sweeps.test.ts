import { sqliteSessionStore } from "@tollgate/sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logOf, newSession, newTurn, said } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a backlog of expired sessions", () => {
  it("is swept in batches, by the clock of the process", async () => {
    const { sessions } = open();
    await Promise.all(Array.from({ length: 450 }, () => sessions.create(newSession())));
    const used = newSession({ ttlMs: 3_700_000 });
    await sessions.create(used);
    vi.setSystemTime(Date.now() + 3_599_999);
    expect(await sessions.expire()).toBe(0);
    await sessions.merge(used, []);
    vi.setSystemTime(Date.now() + 1);
    const sweeps = [sessions.expire(), sessions.expire(), sessions.expire(), sessions.expire()];
    expect(await Promise.all(sweeps)).toEqual([200, 200, 50, 0]);
    vi.setSystemTime(Date.now() + 3_699_998);
    expect(await sessions.find(used)).toMatchObject({ id: used.id });
    vi.setSystemTime(Date.now() + 1);
    expect(await sessions.find(used)).toBeUndefined();
    expect(await sessions.expire()).toBe(1);
  });

  it("is swept in smaller batches if each session has many rows", async () => {
    const { sessions } = open();
    for (let made = 0; made < 5; made++) {
      const [wanted, turn] = [newSession(), newTurn()];
      await sessions.create(wanted);
      await sessions.beginTurn(wanted, turn);
      const messages = Array.from({ length: made === 0 ? 2_500 : 999 }, () => said("again"));
      await sessions.endTurn(wanted, { turnId: turn.turnId, messages, images: ["https://images.example/1.png"] });
      vi.setSystemTime(Date.now() + 1);
    }
    vi.setSystemTime(Date.now() + 3_600_000);
    const sweeps = [sessions.expire(), sessions.expire(), sessions.expire(), sessions.expire()];
    expect(await Promise.all(sweeps)).toEqual([1, 2, 2, 0]);
  });
});

it("a lock ends when its lease expires and not before, and a turn that lost its lock changes nothing", async () => {
  const { sessions } = open();
  const [wanted, first, second] = [newSession(), newTurn(), newTurn()];
  await sessions.create(wanted);
  expect(await sessions.beginTurn(wanted, first)).toMatchObject({ outcome: "begun" });
  vi.setSystemTime(Date.now() + 50_000);
  expect(await sessions.renewTurn(wanted, first)).toBe(true);
  vi.setSystemTime(Date.now() + 59_999);
  expect(await sessions.beginTurn(wanted, second)).toEqual({ outcome: "busy" });
  vi.setSystemTime(Date.now() + 1);
  expect(await sessions.beginTurn(wanted, second)).toMatchObject({ outcome: "begun" });
  expect(await sessions.renewTurn(wanted, first)).toBe(false);
  expect(await sessions.endTurn(wanted, { turnId: first.turnId, messages: [said("late")], images: [] })).toBe(false);
  expect(await sessions.appendLog(wanted, logOf("log-1"))).toBe(true);
  expect(await sessions.messages(wanted, { limit: 1 })).toEqual({ messages: [] });
});

describe("an index is used to find", () => {
  const plans: Readonly<Record<string, readonly [sql: string, plan: RegExp]>> = {
    "expired sessions": [
      "SELECT id FROM tollgate_session WHERE expires_at <= 5 ORDER BY expires_at",
      /tollgate_session_due/,
    ],
    "a page of messages": [
      "SELECT message FROM tollgate_session_message WHERE session_id = 'x' AND sequence > 5 ORDER BY sequence",
      /autoindex.*session_id=\? AND sequence>\?/,
    ],
    "a page of logs": [
      "SELECT log FROM tollgate_session_log WHERE session_id = 'x' AND sequence < 5 ORDER BY sequence DESC",
      /autoindex.*session_id=\? AND sequence<\?/,
    ],
  };
  for (const [name, [sql, expected]] of Object.entries(plans)) {
    it(`${name}, in sorted order`, () => {
      const { database } = open();
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(steps.map(({ detail }) => detail)).toEqual([expect.stringMatching(expected)]);
    });
  }
});

function open() {
  const database = temporaryDatabase().connect();
  return { database, sessions: sqliteSessionStore(database) };
}
