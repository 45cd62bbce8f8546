import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { granted, type SessionContext, said } from "./context.ts";

/** The cases of the lock: `beginTurn`, `renewTurn` and `endTurn` with valid leases. */
export const turnCases: Cases<SessionContext> = {
  "a turn begins with the current session": async ({ begin, create, store }) => {
    const session = await create({ clientData: { a: 1 } });
    await store.merge(session, [["b", 2]]);
    const start = granted(await begin(session));
    deepEqual(start.session, await store.find(session));
    deepEqual(start.session.clientData, { a: 1, b: 2 });
    deepEqual([start.messages, start.images], [[], []]);
  },
  "a second turn is busy, through the peer as well": async ({ begin, begun, create, peer }) => {
    const session = await create();
    await begun(session);
    deepEqual(await begin(session), { outcome: "busy" });
    const request = { turnId: crypto.randomUUID(), leaseMs: 1, historyLimit: 1 };
    deepEqual(await peer.beginTurn(session, request), { outcome: "busy" });
  },
  "a turn that was busy can neither renew nor end": async ({ begin, begun, create, store }) => {
    const session = await create();
    const first = await begun(session);
    const turnId = crypto.randomUUID();
    equal((await begin(session, { turnId })).outcome, "busy");
    equal(await store.renewTurn(session, { turnId, leaseMs: 60_000 }), false);
    equal(await store.endTurn(session, { turnId, messages: [said("lost")], images: ["lost"] }), false);
    equal((await begin(session)).outcome, "busy");
    equal(await store.renewTurn(session, { turnId: first.turnId, leaseMs: 60_000 }), true);
  },
  "the end appends messages and images and releases the lock": async ({ begun, create, peer, store }) => {
    const session = await create();
    const { turnId } = await begun(session);
    const messages = [said("hello"), { role: "assistant", content: "hi" } as const];
    equal(await peer.endTurn(session, { turnId, messages, images: ["https://images.example/1"] }), true);
    const next = await begun(session);
    deepEqual([next.messages, next.images], [messages, ["https://images.example/1"]]);
    equal((await store.messages(session, { limit: 10 }))?.messages.length, 2);
  },
  "an end without messages only releases the lock": async ({ begun, create, store, wait }) => {
    const session = await create();
    const { turnId } = await begun(session);
    await wait(10);
    equal(await store.endTurn(session, { turnId, messages: [], images: [] }), true);
    deepEqual(await store.find(session), session);
    deepEqual((await begun(session)).messages, []);
  },
  "a turn ends once": async ({ begun, create, store }) => {
    const session = await create();
    const { turnId } = await begun(session);
    const end = { turnId, messages: [said("once")], images: ["https://images.example/1"] };
    equal(await store.endTurn(session, end), true);
    equal(await store.endTurn(session, end), false);
    equal(await store.renewTurn(session, { turnId, leaseMs: 60_000 }), false);
    const { messages, images } = await begun(session);
    deepEqual([messages.length, images.length], [1, 1]);
  },
  "an ended turn cannot end the next turn or release its lock": async ({ begin, begun, create, store }) => {
    const session = await create();
    const first = await begun(session);
    await store.endTurn(session, { turnId: first.turnId, messages: [], images: [] });
    await begun(session);
    equal(await store.endTurn(session, { turnId: first.turnId, messages: [said("late")], images: [] }), false);
    equal((await begin(session)).outcome, "busy");
    deepEqual((await store.messages(session, { limit: 10 }))?.messages, []);
  },
  "messages change the update time, and the beginning and renewals of a turn do not": async (context) => {
    const { begun, create, store, wait } = context;
    const session = await create();
    await wait(10);
    const { turnId } = await begun(session);
    await store.renewTurn(session, { turnId, leaseMs: 60_000 });
    deepEqual(await store.find(session), session);
    await store.endTurn(session, { turnId, messages: [said("hello")], images: [] });
    const { updatedAt, ...kept } = { ...(await store.find(session)) };
    equal((updatedAt?.getTime() ?? 0) > session.updatedAt.getTime(), true);
    const { updatedAt: _, ...before } = session;
    deepEqual(kept, before);
  },
  "an unknown session returns unknown": async ({ account, begin, store }) => {
    const ref = { id: crypto.randomUUID(), account };
    const turnId = crypto.randomUUID();
    deepEqual(await begin(ref, { turnId }), { outcome: "unknown" });
    equal(await store.renewTurn(ref, { turnId, leaseMs: 60_000 }), false);
    equal(await store.endTurn(ref, { turnId, messages: [said("x")], images: [] }), false);
  },
};
