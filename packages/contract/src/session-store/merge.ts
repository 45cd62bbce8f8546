import { deepEqual, equal } from "node:assert/strict";
import type { ClientData, ClientDataChanges, Session, SessionRef } from "@tollgate/core/store";
import { mergeClientData } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { SessionContext } from "./context.ts";

/** The cases of `merge`. */
export const mergeCases: Cases<SessionContext> = {
  "changes replace whole keys and keep the others": async (context) => {
    const session = await context.create({ clientData: { kept: [1], user: { name: "Ann", age: 7 } } });
    const merged = await merge(context, session, [
      ["user", { name: "Bob" }],
      ["added", true],
    ]);
    deepEqual(merged.clientData, { kept: [1], user: { name: "Bob" }, added: true });
    deepEqual(await context.peer.find(session), merged);
  },
  "null removes a key, whether or not it exists": async (context) => {
    const session = await context.create({ clientData: { a: 1, b: 2 } });
    const merged = await merge(context, session, [
      ["a", null],
      ["never", null],
    ]);
    deepEqual(merged.clientData, { b: 2 });
  },
  "a null within a value is stored": async (context) => {
    const session = await context.create();
    deepEqual((await merge(context, session, [["a", { b: null, c: [null] }]])).clientData, {
      a: { b: null, c: [null] },
    });
  },
  "changes apply in order": async (context) => {
    const session = await context.create({ clientData: { c: 1 } });
    const changes: ClientDataChanges = [
      ["a", 1],
      ["a", 2],
      ["b", 1],
      ["b", null],
      ["c", null],
      ["c", 3],
    ];
    deepEqual((await merge(context, session, changes)).clientData, { a: 2, c: 3 });
  },
  "an empty list of changes has no effect": async (context) => {
    const session = await context.create({ clientData: { a: 1 } });
    deepEqual((await merge(context, session, [])).clientData, { a: 1 });
  },
  "a merge changes the update time and keeps the other members": async (context) => {
    const session = await context.create();
    await context.wait(10);
    const { clientData: _, updatedAt, ...kept } = await merge(context, session, [["a", 1]]);
    equal(updatedAt.getTime() > session.updatedAt.getTime(), true);
    const { id, account, assistantId, createdAt } = session;
    deepEqual(kept, { id, account, assistantId, createdAt });
  },
  "more than 200 keys are refused with a message, and nothing changes": async (context) => {
    const session = await context.create({ clientData: keys(199) });
    await context.wait(10);
    const changes: ClientDataChanges = [
      ["key-0", "changed"],
      ["one", 1],
      ["another", 1],
    ];
    await expectRefused(context, session, changes);
    await merge(context, session, [["one", 1]]);
  },
  "more than 64 KiB are refused with a message, and nothing changes": async (context) => {
    const session = await context.create({ clientData: { a: "x".repeat(40_000) } });
    await context.wait(10);
    await expectRefused(context, session, [
      ["small", 1],
      ["b", "y".repeat(40_000)],
    ]);
  },
  "limits apply to the result and not to intermediate states": async (context) => {
    const session = await context.create({ clientData: keys(200) });
    const merged = await merge(context, session, [
      ["new", 1],
      ["key-7", null],
    ]);
    equal(Object.keys(merged.clientData).length, 200);
  },
  "a merge during a turn succeeds, and the end of the turn keeps it": async (context) => {
    const session = await context.create({ clientData: { a: 1 } });
    const { turnId } = await context.begun(session);
    await merge(context, session, [["a", 2]]);
    equal((await context.begin(session)).outcome, "busy");
    equal(await context.store.endTurn(session, { turnId, messages: [], images: [] }), true);
    deepEqual((await context.store.find(session))?.clientData, { a: 2 });
  },
  "an unknown session returns unknown": async ({ account, store }) => {
    deepEqual(await store.merge({ id: crypto.randomUUID(), account }, [["a", 1]]), { outcome: "unknown" });
  },
};

async function merge({ store }: SessionContext, ref: SessionRef, changes: ClientDataChanges): Promise<Session> {
  const result = await store.merge(ref, changes);
  if (result.outcome !== "merged") throw new Error(`The merge must succeed, but the outcome was ${result.outcome}.`);
  return result.session;
}

async function expectRefused({ store }: SessionContext, session: Session, changes: ClientDataChanges): Promise<void> {
  deepEqual(await store.merge(session, changes), {
    outcome: "refused",
    ...mergeClientData(session.clientData, changes),
  });
  deepEqual(await store.find(session), session);
}

function keys(count: number): ClientData {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, at]));
}
