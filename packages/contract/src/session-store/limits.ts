import { deepEqual, equal } from "node:assert/strict";
import type { CreateResult } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { logOf, newSession, type SessionContext, said } from "./context.ts";

const fullOf = (limit: "sessions" | "bytes"): CreateResult => ({ outcome: "full", limit });

/** The cases of the limits of an account: the number of its sessions, and their bytes. */
export const limitCases: Cases<SessionContext> = {
  "an account can reach its limit of sessions, and create another after a deletion": async (context) => {
    const { create, store, tryCreate } = context;
    const limits = { sessions: 3 };
    const [first] = [await create({ limits }), await create({ limits }), await create({ limits })];
    deepEqual(await tryCreate({ limits }), fullOf("sessions"));
    equal(await store.delete(first), true);
    equal((await tryCreate({ limits })).outcome, "created");
    deepEqual(await tryCreate({ limits }), fullOf("sessions"));
  },
  "a refused session is not stored": async ({ account, create, store }) => {
    await create();
    const refused = newSession(account, { limits: { sessions: 1 } });
    deepEqual(await store.create(refused), fullOf("sessions"));
    equal(await store.find(refused), undefined);
    equal((await store.list(account, { limit: 10 })).sessions.length, 1);
  },
  "10 of 100 concurrent creations succeed when the limit allows 10 more": async (context) => {
    for (let at = 0; at < 5; at++) await context.create();
    const results = await callConcurrently(context, 100, (client) =>
      context.tryCreate({ limits: { sessions: 15 } }, client),
    );
    deepEqual(tally(results), { created: 10, full: 90 });
    deepEqual(await context.tryCreate({ limits: { sessions: 15 } }), fullOf("sessions"));
    equal((await context.tryCreate({ limits: { sessions: 16 } })).outcome, "created");
  },
  "10 of 100 concurrent creations succeed when the bytes suffice for 10": async (context) => {
    const clientData = { a: "x".repeat(992) };
    const attributes = { clientData, limits: { bytes: 10 * Buffer.byteLength(JSON.stringify(clientData)) } };
    const results = await callConcurrently(context, 100, (client) => context.tryCreate(attributes, client));
    deepEqual(tally(results), { created: 10, full: 90 });
    deepEqual(await context.tryCreate(attributes), fullOf("bytes"));
  },
  "creations with an id that is in use are counted once": async (context) => {
    const id = crypto.randomUUID();
    const limits = { sessions: 2 };
    await context.create({ id, limits });
    await callConcurrently(context, 20, (client) => context.tryCreate({ id, limits }, client).catch(() => undefined));
    equal((await context.tryCreate({ limits })).outcome, "created");
    deepEqual(await context.tryCreate({ limits }), fullOf("sessions"));
  },
  "accounts have separate limits": async (context) => {
    const limits = { sessions: 1, bytes: 1_000 };
    await context.create({ limits });
    deepEqual(await context.tryCreate({ limits }), fullOf("sessions"));
    equal((await context.tryCreate({ account: `${context.account}-other`, limits })).outcome, "created");
  },
  "client data, messages, images and logs are counted, and a deletion subtracts their bytes": async (context) => {
    const { create, store, tryCreate, turn } = context;
    const text = "é".repeat(10_000);
    const fill: readonly ((session: Awaited<ReturnType<typeof create>>) => Promise<unknown>)[] = [
      async (session) => store.merge(session, [["a", text]]),
      (session) => turn(session, [said(text)]),
      (session) => turn(session, [said("a")], [text]),
      async (session) => store.appendLog(session, logOf(session, "a", { warnings: [text] })),
    ];
    for (const [at, add] of fill.entries()) {
      const session = await create();
      await add(session);
      // Each of these characters has two bytes in UTF-8.
      deepEqual(await tryCreate({ limits: { bytes: 19_999 } }), fullOf("bytes"), `filled by ${at}`);
      equal(await store.delete(session), true);
      const other = await tryCreate({ limits: { bytes: 19_999 } });
      equal(other.outcome, "created", `filled by ${at}`);
      if (other.outcome === "created") await store.delete(other.session);
    }
  },
  "a merge can grow a session within the limit of bytes, and can always shrink it": async (context) => {
    const session = await context.create({ clientData: { a: "x".repeat(1_000) } });
    const merge = async (length: number, bytes: number) =>
      (await context.store.merge(session, [["a", "y".repeat(length)]], { bytes })).outcome;
    equal(await merge(2_000, 1_900), "full");
    deepEqual((await context.store.find(session))?.clientData, session.clientData);
    equal(await merge(2_000, 3_000), "merged");
    equal(await merge(1_500, 100), "merged");
    equal(await merge(1_501, 100), "full");
    equal(await merge(100, 100), "merged");
    deepEqual(await context.tryCreate({ limits: { bytes: 50 } }), fullOf("bytes"));
    equal((await context.tryCreate({ limits: { bytes: 500 } })).outcome, "created");
  },
  "concurrent merges do not exceed the limit of bytes": async (context) => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => context.create()));
    const change = { key: "a", value: "x".repeat(990) };
    const grown = Buffer.byteLength(JSON.stringify({ [change.key]: change.value }));
    const results = await callConcurrently(context, 20, async (client, at) => {
      const [ref] = sessions.slice(at, at + 1);
      if (ref === undefined) throw new Error("Each call needs a session.");
      // Each empty session already has two bytes.
      return client.merge(ref, [[change.key, change.value]], { bytes: 20 * 2 + 5 * (grown - 2) });
    });
    deepEqual(tally(results), { merged: 5, full: 15 });
  },
  "no turn begins when the account exceeds accountBytes": async ({ begin, create, store }) => {
    const session = await create({ clientData: { a: "x".repeat(1_000) } });
    deepEqual(await begin(session, { accountBytes: 900 }), { outcome: "full" });
    equal((await begin(session, { accountBytes: 1_100 })).outcome, "begun");
    deepEqual((await store.find(session))?.clientData, session.clientData);
  },
  "a refused turn takes no lock": async ({ begin, create }) => {
    const session = await create({ clientData: { a: "x".repeat(1_000) } });
    deepEqual(await begin(session, { accountBytes: 1 }), { outcome: "full" });
    equal((await begin(session)).outcome, "begun");
  },
  "expired sessions are not counted, before and after a sweep": async (context) => {
    const { create, store, tryCreate, until } = context;
    const limits = { sessions: 2, bytes: 3_000 };
    const clientData = { a: "x".repeat(1_000) };
    for (const sweep of [false, true]) {
      const brief = [await create({ clientData, ttlMs: 30 }), await create({ clientData, ttlMs: 30 })];
      for (const ref of brief) await until(async () => (await store.find(ref)) === undefined);
      if (sweep) for (let calls = 0; calls < 100 && (await store.expire()) > 0; calls++);
      const kept = [await create({ clientData, limits }), await create({ clientData, limits })];
      deepEqual(await tryCreate({ limits }), fullOf("sessions"));
      for (const ref of kept) await store.delete(ref);
    }
  },
  "bytes of expired sessions block neither a turn nor a merge": async (context) => {
    const { begin, create, store, until } = context;
    for (const use of ["turn", "merge"] as const) {
      const brief = await create({ clientData: { a: "x".repeat(5_000) }, ttlMs: 30 });
      const session = await create();
      await until(async () => (await store.find(brief)) === undefined);
      if (use === "turn") equal((await begin(session, { accountBytes: 1_000 })).outcome, "begun");
      else equal((await store.merge(session, [["a", 1]], { bytes: 1_000 })).outcome, "merged");
    }
  },
  "deleted sessions leave no bytes behind": async (context) => {
    const { account, begun, store, tryCreate } = context;
    const limits = { sessions: 1, bytes: 2_000 };
    for (let round = 0; round < 3; round++) {
      const session = await context.create({ limits });
      await store.merge(session, [["a", "x".repeat(500)]]);
      await store.merge(session, [["a", null]]);
      await context.turn(session, [said("a")], ["https://images.example/1"]);
      const { turnId } = await begun(session);
      await Promise.all([
        callConcurrently(context, 10, (client) => client.appendLog(session, logOf(session, "late"))),
        Promise.resolve().then(() => store.delete(session)),
        Promise.resolve().then(() => context.peer.endTurn(session, { turnId, messages: [said("late")], images: [] })),
        callConcurrently(context, 10, (client, at) => client.merge(session, [[`key-${at}`, at]])),
      ]);
      equal(await store.find(session), undefined);
    }
    equal((await tryCreate({ limits: { sessions: 1, bytes: 2 } })).outcome, "created");
    equal((await store.list(account, { limit: 10 })).sessions.length, 1);
  },
};
