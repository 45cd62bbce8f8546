import { deepEqual, equal } from "node:assert/strict";
import type { Session } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { expectUnknown } from "./accounts.ts";
import { createdSession, logOf, newSession, type SessionContext, said } from "./context.ts";

/** The cases of a session's lifetime and of `expire`. */
export const expiryCases: Cases<SessionContext> = {
  "an expired session is unknown to every method, even before a sweep": async (context) => {
    const session = await context.create({ ttlMs: 30 });
    await expired(context, session);
    await expectUnknown(context, session);
    equal(await context.store.find(session), undefined);
  },
  "reading does not extend the lifetime": async (context) => {
    const { create, store, until } = context;
    // Much longer than the pause between two reads on a slow machine, since the session could otherwise expire in a
    // pause.
    const session = await create({ ttlMs: 2_000 });
    await store.appendLog(session, logOf(session, "a"));
    await until(async () => {
      const found = await store.find(session);
      await store.logs(session, { limit: 1 });
      return found === undefined && (await store.messages(session, { limit: 1 })) === undefined;
    });
  },
  "a merge restarts the lifetime": async (context) =>
    restartsLifetime(context, async ({ store }, session) => {
      equal((await store.merge(session, [["a", 1]])).outcome, "merged");
    }),
  "the beginning of a turn restarts the lifetime": async (context) =>
    restartsLifetime(context, async ({ begun }, session) => {
      await begun(session, { leaseMs: 1 });
    }),
  "a renewal and the end of a turn restart the lifetime": async (context) =>
    retryWithMoreTime(async (unitMs) => {
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
  "a session expires after it was used": async (context) => {
    const session = await context.create({ ttlMs: 200 });
    await context.store.merge(session, [["a", 1]]);
    await expired(context, session);
  },
  "a running turn does not prevent the session from expiring": async (context) =>
    retryWithMoreTime(async (unitMs) => {
      const session = await context.create({ ttlMs: 3 * unitMs });
      const { turnId } = await context.begun(session);
      await expired(context, session);
      const end = { turnId, messages: [said("late")], images: [] };
      equal(await context.store.endTurn(session, end), false);
      equal(await context.store.find(session), undefined);
    }),
  "a sweep removes expired sessions and returns how many": async (context) => {
    await sweep(context);
    const kept = await context.create({ clientData: { a: 1 } });
    await context.turn(kept, [said("kept")]);
    const before = await context.store.find(kept);
    const ended = await Promise.all(Array.from({ length: 5 }, () => context.create({ ttlMs: 30 })));
    await Promise.all(ended.map((session) => expired(context, session)));
    equal(await sweep(context), 5);
    equal(await sweep(context), 0);
    deepEqual(await context.store.find(kept), before);
    equal((await context.store.messages(kept, { limit: 10 }))?.messages.length, 1);
  },
  "a sweep removes messages, images and logs": async (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { account, begun, create, store } = context;
      const { id } = await create({ ttlMs: 3 * unitMs });
      const ref = { id, account };
      await context.turn(ref, [said("gone")], ["https://images.example/gone"]);
      equal(await store.appendLog(ref, logOf(ref, "gone")), true);
      await expired(context, ref);
      await sweep(context);
      // Hosts do not reuse ids. Here, reuse shows whether anything is left.
      const again = createdSession(await store.create(newSession(account, { id })));
      const { messages, images } = await begun(again);
      deepEqual([messages, images], [[], []]);
      deepEqual(await store.messages(again, { limit: 10 }), { messages: [] });
      deepEqual(await store.logs(again, { limit: 10 }), { logs: [] });
    }),
  "concurrent sweeps remove each session once": async (context) => {
    await sweep(context);
    const ended = await Promise.all(Array.from({ length: 30 }, () => context.create({ ttlMs: 30 })));
    await Promise.all(ended.map((session) => expired(context, session)));
    const counts = await callConcurrently(context, 10, (client) => client.expire());
    const rest = await sweep(context);
    equal(
      counts.reduce((sum, count) => sum + count, rest),
      30,
    );
  },
};

/** Fails unless using a session before its expiry restarts its lifetime. */
async function restartsLifetime(
  context: SessionContext,
  use: (context: SessionContext, session: Session) => Promise<void>,
): Promise<void> {
  await retryWithMoreTime(async (unitMs) => {
    const session = await context.create({ ttlMs: 4 * unitMs });
    await context.wait(3 * unitMs);
    await use(context, session);
    await context.wait(3 * unitMs);
    equal((await context.store.find(session))?.id, session.id);
  });
}

async function expired({ store, until }: SessionContext, ref: Pick<Session, "id" | "account">): Promise<void> {
  await until(async () => (await store.find(ref)) === undefined);
}

/** Calls `expire` until it returns 0, and returns the sum. */
async function sweep({ store }: SessionContext): Promise<number> {
  let sum = 0;
  for (let calls = 0; calls < 100; calls++) {
    const count = await store.expire();
    if (count === 0) return sum;
    sum += count;
  }
  throw new Error("100 sweeps have not removed all expired sessions.");
}
