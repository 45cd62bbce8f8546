import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { createdSession, logOf, newSession, type SessionContext, said } from "./context.ts";

/** The cases of `create` and `find`. */
export const createCases: Cases<SessionContext> = {
  "a session is found as soon as it is created, with all its members": async ({ account, create, peer }) => {
    const id = crypto.randomUUID();
    const clientData = { name: "Ann", orders: [{ id: 7 }], none: null };
    const created = await create({ id, assistantId: "an assistant", clientData });
    const { createdAt: _, updatedAt: __, ...content } = created;
    deepEqual(content, { id, account, assistantId: "an assistant", clientData });
    deepEqual(await peer.find({ id, account }), created);
  },
  "a new session has the current time as creation and update time": async ({ create }) => {
    const { createdAt, updatedAt } = await create();
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - createdAt.getTime()) < 60_000, true);
    deepEqual(updatedAt, createdAt);
  },
  "an unknown session is not found": async ({ account, store }) => {
    for (const id of [crypto.randomUUID(), "x", "", "' or 1=1--"]) equal(await store.find({ id, account }), undefined);
  },
  "an id that is in use throws and changes nothing": async ({ account, create, store, turn }) => {
    const session = await create({ clientData: { a: 1 } });
    await turn(session, [said("first")]);
    const before = await store.find(session);
    const duplicate = newSession(account, { id: session.id, assistantId: "another", clientData: { b: 2 } });
    await rejects(async () => store.create(duplicate));
    deepEqual(await store.find(session), before);
    equal((await store.messages(session, { limit: 10 }))?.messages.length, 1);
  },
  "the id of another account's session throws": async ({ account, create, store }) => {
    const session = await create({ clientData: { a: 1 } });
    const other = { account: `${account}-other`, id: session.id };
    await rejects(async () => store.create(newSession(other.account, { id: session.id })));
    deepEqual(await store.find(session), session);
    equal(await store.find(other), undefined);
  },
  "one of 20 concurrent creations with the same id succeeds": async (context) => {
    const { account, store } = context;
    const id = crypto.randomUUID();
    const results = await callConcurrently(context, 20, async (client, at) => {
      const session = newSession(account, { id, clientData: { at } });
      return context.tryCreate(session, client).then(createdSession, () => undefined);
    });
    const succeeded = results.filter((session) => session !== undefined);
    equal(succeeded.length, 1);
    deepEqual(await store.find({ id, account }), succeeded[0]);
  },
  "sessions of one account are independent": async ({ begun, create, store, turn }) => {
    const [one, other] = [await create({ clientData: { a: 1 } }), await create({ clientData: { a: 2 } })];
    await turn(one, [said("to one"), said("again")], ["https://images.example/1"]);
    await turn(other, [said("to other")]);
    await store.appendLog(one, logOf(one, "of one"));
    await store.merge(one, [["a", 3]]);
    await begun(one);
    const { messages, images, session } = await begun(other);
    deepEqual([messages, images, session.clientData], [[said("to other")], [], { a: 2 }]);
    const page = await store.messages(other, { limit: 10 });
    deepEqual(
      page?.messages.map(({ sequence }) => sequence),
      [1],
    );
    deepEqual(await store.logs(other, { limit: 10 }), { logs: [] });
    await store.appendLog(other, logOf(other, "of other"));
    const { logs = [] } = { ...(await store.logs(other, { limit: 10 })) };
    deepEqual(
      logs.map(({ sequence, log }) => [sequence, log.trigger]),
      [[1, "of other"]],
    );
  },
  "reading does not change the update time": async ({ create, store, wait }) => {
    const session = await create();
    await wait(10);
    await store.find(session);
    await store.messages(session, { limit: 10 });
    await store.logs(session, { limit: 10 });
    deepEqual(await store.find(session), session);
  },
};
