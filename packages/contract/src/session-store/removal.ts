import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { expectUnknown } from "./accounts.ts";
import { createdSession, logOf, newSession, type SessionContext, said } from "./context.ts";

/** The cases of `delete`. */
export const removalCases: Cases<SessionContext> = {
  "a deleted session is unknown to every method": async (context) => {
    const session = await context.create({ clientData: { a: 1 } });
    await context.turn(session, [said("gone")]);
    await context.store.appendLog(session, logOf(session, "gone"));
    equal(await context.peer.delete(session), true);
    await expectUnknown(context, session);
  },
  "deleting an unknown session returns false": async ({ account, store }) => {
    equal(await store.delete({ id: crypto.randomUUID(), account }), false);
  },
  "a deletion removes messages, images, logs and the lock": async (context) => {
    const { account, begun, create, store } = context;
    const { id } = await create({ clientData: { a: 1 } });
    await context.turn({ id, account }, [said("gone")], ["https://images.example/gone"]);
    await store.appendLog({ id, account }, logOf({ id, account }, "gone"));
    await begun({ id, account });
    await store.delete({ id, account });
    // Hosts do not reuse ids. Here, reuse shows whether anything is left.
    const again = createdSession(await store.create(newSession(account, { id })));
    deepEqual(again.clientData, {});
    const { messages, images } = await begun(again);
    deepEqual([messages, images], [[], []]);
    deepEqual(await store.messages(again, { limit: 10 }), { messages: [] });
    deepEqual(await store.logs(again, { limit: 10 }), { logs: [] });
  },
  "a deletion keeps the other sessions of the account": async ({ begun, create, store, turn }) => {
    const [gone, kept] = [await create(), await create({ clientData: { a: 1 } })];
    await turn(kept, [said("kept")], ["https://images.example/kept"]);
    await store.appendLog(kept, logOf(kept, "kept"));
    await store.delete(gone);
    const { messages, images, session } = await begun(kept);
    deepEqual([messages, images], [[said("kept")], ["https://images.example/kept"]]);
    deepEqual(session.clientData, { a: 1 });
    equal((await store.logs(kept, { limit: 10 }))?.logs.length, 1);
  },
  "a turn whose session was deleted ends without effect": async ({ begun, create, store }) => {
    const session = await create();
    const { turnId } = await begun(session);
    equal(await store.delete(session), true);
    equal(await store.renewTurn(session, { turnId, leaseMs: 60_000 }), false);
    equal(await store.endTurn(session, { turnId, messages: [said("late")], images: [] }), false);
    equal(await store.find(session), undefined);
  },
  "one of 20 concurrent deletions succeeds": async (context) => {
    const session = await context.create();
    const results = await callConcurrently(context, 20, (client) => client.delete(session));
    equal(results.filter(Boolean).length, 1);
  },
};
