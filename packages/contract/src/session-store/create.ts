import { deepEqual, equal, rejects } from "node:assert/strict";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { createdSession, logOf, newSession, type SessionContext, said } from "./context.ts";

/** What holds of `create` and `find`. */
export const createCases: Cases<SessionContext> = {
  "a session is found as soon as it is made, with what it was made with": async ({ account, create, peer }) => {
    const id = crypto.randomUUID();
    const clientData = { name: "Ann", orders: [{ id: 7 }], none: null };
    const created = await create({ id, assistantId: "an assistant", clientData });
    const { createdAt: _, updatedAt: __, ...content } = created;
    deepEqual(content, { id, account, assistantId: "an assistant", clientData });
    deepEqual(await peer.find({ id, account }), created);
  },
  "a new session was created now, and last changed then": async ({ create }) => {
    const { createdAt, updatedAt } = await create();
    // A minute of allowance: the store's clock may be another machine's.
    equal(Math.abs(Date.now() - createdAt.getTime()) < 60_000, true);
    deepEqual(updatedAt, createdAt);
  },
  "a session that was never made is not found": async ({ account, store }) => {
    for (const id of [crypto.randomUUID(), "x", "", "' or 1=1--"]) equal(await store.find({ id, account }), undefined);
  },
  "the same id again throws, and changes nothing": async ({ account, create, store, turn }) => {
    const session = await create({ clientData: { a: 1 } });
    await turn(session, [said("first")]);
    const before = await store.find(session);
    const again = newSession(account, { id: session.id, assistantId: "another", clientData: { b: 2 } });
    await rejects(async () => store.create(again));
    deepEqual(await store.find(session), before);
    equal((await store.messages(session, { limit: 10 }))?.messages.length, 1);
  },
  "the id of another account's session throws too": async ({ account, create, store }) => {
    const session = await create({ clientData: { a: 1 } });
    const other = { account: `${account}-other`, id: session.id };
    await rejects(async () => store.create(newSession(other.account, { id: session.id })));
    deepEqual(await store.find(session), session);
    equal(await store.find(other), undefined);
  },
  "of twenty creations with one id at once one succeeds": async (context) => {
    const { account, store } = context;
    const id = crypto.randomUUID();
    const made = await crowd(context, 20, async (client, at) => {
      const wanted = newSession(account, { id, clientData: { at } });
      return context.tryCreate(wanted, client).then(createdSession, () => undefined);
    });
    const succeeded = made.filter((session) => session !== undefined);
    equal(succeeded.length, 1);
    deepEqual(await store.find({ id, account }), succeeded[0]);
  },
  "sessions of one account do not touch each other": async ({ begun, create, store, turn }) => {
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
  "reading does not make a session newer": async ({ create, store, wait }) => {
    const session = await create();
    await wait(10);
    await store.find(session);
    await store.messages(session, { limit: 10 });
    await store.logs(session, { limit: 10 });
    deepEqual(await store.find(session), session);
  },
};
