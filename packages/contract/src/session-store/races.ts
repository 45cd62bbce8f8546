import { deepEqual, equal } from "node:assert/strict";
import { crowd, tally } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { granted, logOf, type SessionContext, said, turnRequest } from "./context.ts";

/** What holds when many come at once. */
export const raceCases: Cases<SessionContext> = {
  "of fifty beginnings at once one begins": async (context) => {
    const session = await context.create();
    const starts = await crowd(context, 50, (client) => client.beginTurn(session, turnRequest()));
    deepEqual(tally(starts), { begun: 1, busy: 49 });
  },
  "of fifty that find a lease run out one begins": async (context) => {
    const session = await context.create();
    await context.begun(session, { leaseMs: 20 });
    await context.wait(60);
    const starts = await crowd(context, 50, (client) => client.beginTurn(session, turnRequest()));
    deepEqual(tally(starts), { begun: 1, busy: 49 });
  },
  "fifty ends of one turn at once append once": async (context) => {
    const session = await context.create();
    const { turnId } = await context.begun(session);
    const end = { turnId, messages: [said("once")], images: ["https://images.example/once"] };
    const answers = await crowd(context, 50, (client) => client.endTurn(session, end));
    equal(answers.filter(Boolean).length, 1);
    const { messages, images } = await context.begun(session);
    deepEqual([messages, images], [end.messages, end.images]);
  },
  "fifty merges at once lose nothing": async (context) => {
    const session = await context.create({ clientData: { kept: true } });
    const results = await crowd(context, 50, (client, at) => client.merge(session, [[`key-${at}`, at]]));
    deepEqual(tally(results), { merged: 50 });
    const wanted = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key-${at}`, at]));
    deepEqual((await context.store.find(session))?.clientData, { kept: true, ...wanted });
  },
  "merges at once are refused from the limit on, and not before": async (context) => {
    const clientData = Object.fromEntries(Array.from({ length: 180 }, (_, at) => [`old-${at}`, at]));
    const session = await context.create({ clientData });
    const results = await crowd(context, 50, (client, at) => client.merge(session, [[`new-${at}`, at]]));
    deepEqual(tally(results), { merged: 20, refused: 30 });
    equal(Object.keys((await context.store.find(session))?.clientData ?? {}).length, 200);
  },
  "all changes of a merge come together": async (context) => {
    const session = await context.create();
    await crowd(context, 30, (client, at) =>
      client.merge(session, [
        ["one", at],
        ["other", at],
      ]),
    );
    const { one, other } = { ...(await context.store.find(session))?.clientData };
    deepEqual([typeof one, one], ["number", other]);
  },
  "merges, logs and the end of a turn at once lose nothing": async (context) => {
    const { store, peer } = context;
    const session = await context.create();
    const { turnId } = await context.begun(session);
    const messages = [said("kept"), said("too")];
    const [ended] = await Promise.all([
      Promise.resolve().then(() => store.endTurn(session, { turnId, messages, images: [] })),
      crowd(context, 20, (client, at) => client.merge(session, [[`key-${at}`, at]])),
      crowd(context, 20, (client, at) => client.appendLog(session, logOf(session, `t${at}`))),
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
  "turns that wait for each other all get through, and no message is lost": async (context) => {
    const session = await context.create();
    await crowd(context, 8, async (client, at) => {
      const request = turnRequest();
      await context.until(async () => (await client.beginTurn(session, request)).outcome === "begun");
      const messages = [said(`${at}`), said(`${at}`)];
      equal(await client.endTurn(session, { turnId: request.turnId, messages, images: [`${at}`] }), true);
    });
    const { messages, images } = granted(await context.begin(session));
    // The two messages of each turn stand together, in the order of the images.
    deepEqual(
      messages.map(({ content }) => content),
      images.flatMap((image) => [image, image]),
    );
    equal(new Set(images).size, 8);
  },
  "a deletion among ends and merges leaves nothing": async (context) => {
    const session = await context.create();
    const { turnId } = await context.begun(session);
    await Promise.all([
      crowd(context, 10, (client, at) => client.merge(session, [[`key-${at}`, at]])),
      Promise.resolve().then(() => context.store.delete(session)),
      Promise.resolve().then(() => context.peer.endTurn(session, { turnId, messages: [said("late")], images: [] })),
      crowd(context, 10, (client) => client.appendLog(session, logOf(session, "late"))),
    ]);
    equal(await context.store.find(session), undefined);
    equal(await context.store.messages(session, { limit: 10 }), undefined);
    equal(await context.store.logs(session, { limit: 10 }), undefined);
  },
};
