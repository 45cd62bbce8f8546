import { deepEqual, equal } from "node:assert/strict";
import type { Session, SessionAdmin, SessionPosition, SessionStore } from "@tollgate/core/store";
import { deleteSessions, logOf, type SessionContext, said, sessionContext } from "./session-store/context.ts";
import { newestFirst } from "./session-store/list.ts";
import { type Cases, runSuite, type SuiteOptions } from "./suite.ts";

type Store = SessionStore & SessionAdmin;
type Query = Parameters<SessionAdmin["listSessions"]>[0];

interface SessionAdminContext extends SessionContext {
  readonly store: Store;
  readonly peer: Store;
  /** An assistant that only this case uses. */
  readonly assistantId: string;
}

/**
 * The suite for every store that is both a SessionStore and a SessionAdmin. Each case uses sessions of new accounts and
 * deletes them at its end.
 */
export function sessionAdminContract(options: SuiteOptions<Store>): void {
  runSuite(
    options,
    "SessionAdmin",
    { listSessions: listCases, findSession: findCases, forget: forgettingCases },
    async (opened, check) => {
      const context = sessionContext(opened);
      const { store, peer } = opened;
      try {
        await check({ ...context, store, peer, assistantId: `assistant-${crypto.randomUUID()}` });
      } finally {
        await deleteSessions(context);
      }
    },
  );
}

const listCases: Cases<SessionAdminContext> = {
  "sessions of all accounts are listed, newest first, in pages without gaps or duplicates": async (context) => {
    const { account, create, peer } = context;
    const made: Session[] = [];
    for (let at = 0; at < 7; at++) made.push(await create({ account: `${account}-${at % 3}`, clientData: { at } }));
    const all = await read(peer, { limit: 3 });
    const own = all.filter((each) => each.account.startsWith(account));
    deepEqual(own, made.toSorted(newestFirst));
    deepEqual(
      all.map(({ id }) => id),
      [...new Set(all.toSorted(newestFirst).map(({ id }) => id))],
    );
  },
  "a list can be limited to an account and to an assistant": async (context) => {
    const { account, assistantId, create, store, wait } = context;
    const [one, two] = [await create({ assistantId }), await create()];
    await wait(10);
    const other = await create({ account: `${account}-other`, assistantId });
    deepEqual((await store.listSessions({ account, limit: 10 })).sessions, [one, two].toSorted(newestFirst));
    deepEqual((await store.listSessions({ assistantId, limit: 10 })).sessions, [other, one]);
    deepEqual((await store.listSessions({ account, assistantId, limit: 10 })).sessions, [one]);
    for (const name of ["", "%", assistantId.toUpperCase(), "a\0b", "\ud800"])
      deepEqual(await store.listSessions({ account: name, assistantId: name, limit: 10 }), { sessions: [] });
  },
  "expired and deleted sessions are not listed": async ({ assistantId, create, store, until }) => {
    const [kept, deleted] = [await create({ assistantId }), await create({ assistantId })];
    const ended = await create({ assistantId, ttlMs: 30 });
    await store.delete(deleted);
    await until(async () => (await store.find(ended)) === undefined);
    deepEqual(await store.listSessions({ assistantId, limit: 10 }), { sessions: [kept] });
  },
  "a cursor stays valid after its session is deleted": async ({ assistantId, create, store, wait }) => {
    const made: Session[] = [];
    for (let at = 0; at < 4; at++) {
      made.unshift(await create({ assistantId }));
      await wait(5);
    }
    const { sessions, next } = await store.listSessions({ assistantId, limit: 2 });
    for (const session of sessions) await store.delete(session);
    const rest = await store.listSessions({ assistantId, limit: 2, ...(next && { before: next }) });
    deepEqual(rest, { sessions: made.slice(2) });
  },
  "a page stays within its limit of bytes": async ({ assistantId, create, store }) => {
    for (let at = 0; at < 3; at++) await create({ assistantId, clientData: { a: "é".repeat(1_000) } });
    equal((await store.listSessions({ assistantId, limit: 10, maxBytes: 4_500 })).sessions.length, 2);
    equal((await store.listSessions({ assistantId, limit: 10, maxBytes: 1 })).sessions.length, 1);
    equal((await read(store, { assistantId, limit: 10, maxBytes: 1 })).length, 3);
  },
};

const findCases: Cases<SessionAdminContext> = {
  "a session is found by its id alone": async ({ create, peer }) => {
    const session = await create({ clientData: { a: 1 }, ttlMs: 3_600_000 });
    const { turns, expiresAt, ...found } = { ...(await peer.findSession(session.id)) };
    deepEqual(found, session);
    equal(turns, 0);
    const lifeMs = (expiresAt?.getTime() ?? 0) - session.createdAt.getTime();
    equal(Math.abs(lifeMs - 3_600_000) < 60_000, true);
  },
  "the turns of its history are counted": async ({ create, turn, begun, store, peer }) => {
    const session = await create();
    await turn(session, [said("a"), said("b"), said("c")]);
    await turn(session, [said("d")], ["https://images.example/1"]);
    const { turnId } = await begun(session);
    equal((await peer.findSession(session.id))?.turns, 2, "A running turn does not count.");
    await store.endTurn(session, { turnId, messages: [], images: [] });
    equal((await peer.findSession(session.id))?.turns, 2, "A turn without messages does not count.");
  },
  "a use extends its life": async ({ create, store, wait }) => {
    const session = await create();
    const before = await store.findSession(session.id);
    await wait(20);
    await store.merge(session, [["a", 1]]);
    const after = await store.findSession(session.id);
    equal((after?.expiresAt.getTime() ?? 0) > (before?.expiresAt.getTime() ?? 0), true);
  },
  "reading does not extend its life": async ({ create, store, wait }) => {
    const { id } = await create();
    const first = await store.findSession(id);
    await wait(20);
    deepEqual(await store.findSession(id), first);
  },
  "an unknown, expired or deleted session is not found": async ({ create, store, until }) => {
    const [deleted, ended] = [await create(), await create({ ttlMs: 30 })];
    await store.delete(deleted);
    await until(async () => (await store.find(ended)) === undefined);
    for (const id of [deleted.id, ended.id, crypto.randomUUID(), "", "a\0b", "\ud800"])
      equal(await store.findSession(id), undefined, JSON.stringify(id));
  },
};

const forgettingCases: Cases<SessionAdminContext> = {
  "all sessions of an account are forgotten with their messages, also expired ones": async (context) => {
    const { account, create, turn, until, store, peer } = context;
    const [session, ended] = [await create(), await create({ ttlMs: 30 })];
    const other = await create({ account: `${account}-other` });
    await turn(session, [said("a")], ["https://images.example/1"]);
    await store.appendLog(session, logOf(session, "find_order"));
    await until(async () => (await store.find(ended)) === undefined);
    equal((await store.forget(account)) >= 1, true);
    equal(await store.forget(account), 0);
    deepEqual(await peer.listSessions({ account, limit: 10 }), { sessions: [] });
    equal(await peer.messages(session, { limit: 10 }), undefined);
    equal(await peer.logs(session, { limit: 10 }), undefined);
    equal((await peer.findSession(other.id))?.account, other.account);
  },
  "a turn that runs in a forgotten session appends nothing": async ({ account, create, begun, store }) => {
    const session = await create();
    const { turnId } = await begun(session);
    equal(await store.forget(account), 1);
    equal(await store.endTurn(session, { turnId, messages: [said("a")], images: [] }), false);
  },
  "a forgotten account has room again": async ({ account, create, tryCreate, store }) => {
    await create();
    equal((await tryCreate({ limits: { sessions: 1 } })).outcome, "full");
    await store.forget(account);
    equal((await tryCreate({ limits: { sessions: 1, bytes: 100 } })).outcome, "created");
  },
};

async function read(store: Store, query: Query): Promise<readonly Session[]> {
  const found: Session[] = [];
  let before: SessionPosition | undefined;
  do {
    const page = await store.listSessions({ ...query, ...(before && { before }) });
    equal(page.sessions.length <= query.limit, true, "A page must not exceed its limit.");
    found.push(...page.sessions);
    before = page.next;
  } while (before !== undefined);
  return found;
}
