import { deepEqual, equal } from "node:assert/strict";
import type { SessionRef } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { logOf, type SessionContext, said } from "./context.ts";

/** The cases of access with another account. */
export const accountCases: Cases<SessionContext> = {
  "a session of another account is unknown to every method": async (context) => {
    const session = await context.create({ clientData: { a: 1 } });
    await context.turn(session, [said("mine")]);
    await context.store.appendLog(session, logOf(session, "mine"));
    await expectUnknown(context, { id: session.id, account: `${context.account}-other` });
  },
  "account names are compared exactly": async (context) => {
    const session = await context.create();
    const { id, account } = session;
    for (const other of [account.toUpperCase(), `${account} `, ` ${account}`, "", "%", account.slice(0, -1)]) {
      equal(await context.store.find({ id, account: other }), undefined, JSON.stringify(other));
      equal((await context.store.merge({ id, account: other }, [["a", 1]])).outcome, "unknown");
    }
  },
  "calls with another account have no effect": async (context) => {
    const { begin, begun, store } = context;
    const session = await context.create({ clientData: { a: 1 } });
    await context.turn(session, [said("mine")], ["https://images.example/1"]);
    await store.appendLog(session, logOf(session, "mine"));
    const { turnId } = await begun(session);
    const [before, logs] = [await store.find(session), await store.logs(session, { limit: 10 })];
    await expectUnknown(context, { id: session.id, account: `${context.account}-other` }, turnId);
    deepEqual(await store.find(session), before);
    deepEqual(await store.logs(session, { limit: 10 }), logs);
    equal((await begin(session)).outcome, "busy");
    equal(await store.endTurn(session, { turnId, messages: [], images: [] }), true);
    const { messages, images } = await begun(session);
    deepEqual([messages, images], [[said("mine")], ["https://images.example/1"]]);
  },
  "unusual names of accounts and assistants are stored unchanged": async ({ account, create, peer }) => {
    for (const name of ["it's", '"quoted"', "日本 🙂", "a\\b", "$1", "__proto__", "constructor", "x".repeat(200)]) {
      const session = await create({ account: `${name}${account}`, assistantId: name });
      deepEqual([session.account, session.assistantId], [`${name}${account}`, name]);
      deepEqual(await peer.find(session), session);
    }
  },
};

/** Fails unless every method reports that the session does not exist. */
export async function expectUnknown(
  { store, begin }: SessionContext,
  ref: SessionRef,
  turnId: string = crypto.randomUUID(),
): Promise<void> {
  equal(await store.find(ref), undefined);
  deepEqual(await store.merge(ref, [["a", 2]]), { outcome: "unknown" });
  deepEqual(await begin(ref), { outcome: "unknown" });
  equal(await store.renewTurn(ref, { turnId, leaseMs: 60_000 }), false);
  equal(await store.endTurn(ref, { turnId, messages: [said("not mine")], images: ["not mine"] }), false);
  equal(await store.appendLog(ref, logOf(ref, "not mine")), false);
  equal(await store.messages(ref, { limit: 10 }), undefined);
  equal(await store.logs(ref, { limit: 10 }), undefined);
  equal(await store.delete(ref), false);
  equal(
    (await store.list(ref.account, { limit: 100 })).sessions.some(({ id }) => id === ref.id),
    false,
  );
}
