import { deepEqual, equal } from "node:assert/strict";
import type { Session } from "@tollgate/core/store";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { unhurried } from "../unhurried.ts";
import { expectUnknown } from "./accounts.ts";
import { createdSession, logOf, newSession, type SessionContext, said } from "./context.ts";

/** What holds of a session's time and of `expire`. */
export const expiryCases: Cases<SessionContext> = {
  "a session whose time has run out is unknown to every verb, before any sweep": async (context) => {
    const session = await context.create({ ttlMs: 30 });
    await gone(context, session);
    await expectUnknown(context, session);
    equal(await context.store.find(session), undefined);
  },
  "a session that is only read ends": async (context) => {
    const { create, store, until } = context;
    // Far longer than the pause between two readings becomes on a slow machine, which would hide the mistake.
    const session = await create({ ttlMs: 2_000 });
    await store.appendLog(session, logOf(session, "a"));
    await until(async () => {
      const found = await store.find(session);
      await store.logs(session, { limit: 1 });
      return found === undefined && (await store.messages(session, { limit: 1 })) === undefined;
    });
  },
  "a merge gives a session its whole time again": async (context) =>
    stays(context, async ({ store }, session) => {
      equal((await store.merge(session, [["a", 1]])).outcome, "merged");
    }),
  "the beginning of a turn gives a session its whole time again": async (context) =>
    stays(context, async ({ begun }, session) => {
      await begun(session, { leaseMs: 1 });
    }),
  "a renewal and the end of a turn give a session its whole time again": async (context) =>
    unhurried(async (unitMs) => {
      const { begun, store, wait } = context;
      const session = await context.create({ ttlMs: 4 * unitMs });
      const { turnId } = await begun(session);
      await wait(3 * unitMs);
      equal(await store.renewTurn(session, { turnId, leaseMs: 60_000 }), true);
      await wait(3 * unitMs);
      equal(await store.endTurn(session, { turnId, messages: [said("a")], images: [] }), true);
      await wait(3 * unitMs);
      equal((await store.find(session))?.id, session.id);
    }),
  "a session ends also after it was used": async (context) => {
    const session = await context.create({ ttlMs: 200 });
    await context.store.merge(session, [["a", 1]]);
    await gone(context, session);
  },
  "a turn does not keep its session from ending": async (context) =>
    unhurried(async (unitMs) => {
      const session = await context.create({ ttlMs: 3 * unitMs });
      const { turnId } = await context.begun(session);
      await gone(context, session);
      const end = { turnId, messages: [said("late")], images: [] };
      equal(await context.store.endTurn(session, end), false);
      equal(await context.store.find(session), undefined);
    }),
  "a sweep removes those whose time has run out and tells how many": async (context) => {
    await sweep(context);
    const kept = await context.create({ clientData: { a: 1 } });
    await context.turn(kept, [said("kept")]);
    const before = await context.store.find(kept);
    const ended = await Promise.all(Array.from({ length: 5 }, () => context.create({ ttlMs: 30 })));
    await Promise.all(ended.map((session) => gone(context, session)));
    equal(await sweep(context), 5);
    equal(await sweep(context), 0);
    deepEqual(await context.store.find(kept), before);
    equal((await context.store.messages(kept, { limit: 10 }))?.messages.length, 1);
  },
  "a sweep takes messages, images and logs too": async (context) =>
    unhurried(async (unitMs) => {
      const { account, begun, create, store } = context;
      const { id } = await create({ ttlMs: 3 * unitMs });
      const ref = { id, account };
      await context.turn(ref, [said("gone")], ["https://images.example/gone"]);
      equal(await store.appendLog(ref, logOf(ref, "gone")), true);
      await gone(context, ref);
      await sweep(context);
      // An id is not used again; here it shows what is left.
      const again = createdSession(await store.create(newSession(account, { id })));
      const { messages, images } = await begun(again);
      deepEqual([messages, images], [[], []]);
      deepEqual(await store.messages(again, { limit: 10 }), { messages: [] });
      deepEqual(await store.logs(again, { limit: 10 }), { logs: [] });
    }),
  "many sweeps at once remove each session once": async (context) => {
    await sweep(context);
    const ended = await Promise.all(Array.from({ length: 30 }, () => context.create({ ttlMs: 30 })));
    await Promise.all(ended.map((session) => gone(context, session)));
    const counts = await crowd(context, 10, (client) => client.expire());
    const rest = await sweep(context);
    equal(
      counts.reduce((sum, count) => sum + count, rest),
      30,
    );
  },
};

/** Fails unless a session outlives its first time when the use comes before it is over. */
async function stays(
  context: SessionContext,
  use: (context: SessionContext, session: Session) => Promise<void>,
): Promise<void> {
  await unhurried(async (unitMs) => {
    const session = await context.create({ ttlMs: 4 * unitMs });
    await context.wait(3 * unitMs);
    await use(context, session);
    await context.wait(3 * unitMs);
    equal((await context.store.find(session))?.id, session.id);
  });
}

async function gone({ store, until }: SessionContext, ref: Pick<Session, "id" | "account">): Promise<void> {
  await until(async () => (await store.find(ref)) === undefined);
}

/** Calls `expire` until it finds nothing, and gives the sum. */
async function sweep({ store }: SessionContext): Promise<number> {
  let sum = 0;
  for (let calls = 0; calls < 100; calls++) {
    const count = await store.expire();
    if (count === 0) return sum;
    sum += count;
  }
  throw new Error("A hundred sweeps have not removed all sessions whose time has run out.");
}
