import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { granted, logOf, type SessionContext, said, turnRequest } from "./context.ts";

/** The cases of concurrent calls. */
export const raceCases: Cases<SessionContext> = {
  "one of 50 concurrent turns begins": async (context) => {
    const session = await context.create();
    const starts = await callConcurrently(context, 50, (client) => client.beginTurn(session, turnRequest()));
    deepEqual(tally(starts), { begun: 1, busy: 49 });
  },
  "one of 50 concurrent turns begins after a lease has expired": async (context) => {
    const session = await context.create();
    await context.begun(session, { leaseMs: 20 });
    await context.wait(60);
    const starts = await callConcurrently(context, 50, (client) => client.beginTurn(session, turnRequest()));
    deepEqual(tally(starts), { begun: 1, busy: 49 });
  },
  "50 concurrent ends of one turn append once": async (context) => {
    const session = await context.create();
    const { turnId } = await context.begun(session);
    const end = { turnId, messages: [said("once")], images: ["https://images.example/once"] };
    const results = await callConcurrently(context, 50, (client) => client.endTurn(session, end));
    equal(results.filter(Boolean).length, 1);
    const { messages, images } = await context.begun(session);
    deepEqual([messages, images], [end.messages, end.images]);
  },
  "50 concurrent merges lose nothing": async (context) => {
    const session = await context.create({ clientData: { kept: true } });
    const results = await callConcurrently(context, 50, (client, at) => client.merge(session, [[`key-${at}`, at]]));
    deepEqual(tally(results), { merged: 50 });
    const wanted = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key-${at}`, at]));
    deepEqual((await context.store.find(session))?.clientData, { kept: true, ...wanted });
  },
  "concurrent merges are refused exactly from the limit of keys": async (context) => {
    const clientData = Object.fromEntries(Array.from({ length: 180 }, (_, at) => [`old-${at}`, at]));
    const session = await context.create({ clientData });
    const results = await callConcurrently(context, 50, (client, at) => client.merge(session, [[`new-${at}`, at]]));
    deepEqual(tally(results), { merged: 20, refused: 30 });
    equal(Object.keys((await context.store.find(session))?.clientData ?? {}).length, 200);
  },
  "the changes of a merge are atomic": async (context) => {
    const session = await context.create();
    await callConcurrently(context, 30, (client, at) =>
      client.merge(session, [
        ["one", at],
        ["other", at],
      ]),
    );
    const { one, other } = { ...(await context.store.find(session))?.clientData };
    deepEqual([typeof one, one], ["number", other]);
  },
  "concurrent merges, logs and the end of a turn lose nothing": async (context) => {
    const { store, peer } = context;
    const session = await context.create();
    const { turnId } = await context.begun(session);
    const messages = [said("kept"), said("too")];
    const [ended] = await Promise.all([
      Promise.resolve().then(() => store.endTurn(session, { turnId, messages, images: [] })),
      callConcurrently(context, 20, (client, at) => client.merge(session, [[`key-${at}`, at]])),
      callConcurrently(context, 20, (client, at) => client.appendLog(session, logOf(session, `t${at}`))),
    ]);
    equal(ended, true);
    equal(Object.keys((await peer.find(session))?.clientData ?? {}).length, 20);
    deepEqual((await context.begun(session)).messages, messages);
    const { logs = [] } = { ...(await peer.logs(session, { limit: 50 })) };
    deepEqual(
      logs.map(({ sequence }) => sequence),
      Array.from({ length: 20 }, (_, at) => 20 - at),
    );
    equal(new Set(logs.map(({ log }) => log.trigger)).size, 20);
  },
  "turns that wait for each other all succeed, and no message is lost": async (context) => {
    const session = await context.create();
    await callConcurrently(context, 8, async (client, at) => {
      const request = turnRequest();
      await context.until(async () => (await client.beginTurn(session, request)).outcome === "begun");
      const messages = [said(`${at}`), said(`${at}`)];
      equal(await client.endTurn(session, { turnId: request.turnId, messages, images: [`${at}`] }), true);
    });
    const { messages, images } = granted(await context.begin(session));
    // The two messages of each turn are adjacent, in the order of the images.
    deepEqual(
      messages.map(({ content }) => content),
      images.flatMap((image) => [image, image]),
    );
    equal(new Set(images).size, 8);
  },
  "a deletion during ends and merges leaves nothing behind": async (context) => {
    const session = await context.create();
    const { turnId } = await context.begun(session);
    await Promise.all([
      callConcurrently(context, 10, (client, at) => client.merge(session, [[`key-${at}`, at]])),
      Promise.resolve().then(() => context.store.delete(session)),
      Promise.resolve().then(() => context.peer.endTurn(session, { turnId, messages: [said("late")], images: [] })),
      callConcurrently(context, 10, (client) => client.appendLog(session, logOf(session, "late"))),
    ]);
    equal(await context.store.find(session), undefined);
    equal(await context.store.messages(session, { limit: 10 }), undefined);
    equal(await context.store.logs(session, { limit: 10 }), undefined);
  },
};
