import { deepEqual, equal } from "node:assert/strict";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { type SessionContext, said } from "./context.ts";

/** The cases of expired and renewed leases. */
export const leaseCases: Cases<SessionContext> = {
  "another turn can begin after the lease has expired": async ({ begin, begun, create, until }) => {
    const session = await create();
    await begun(session, { leaseMs: 30 });
    await until(async () => (await begin(session)).outcome === "begun");
    equal((await begin(session)).outcome, "busy");
  },
  "a turn whose lock was taken over can neither renew nor end": async (context) => {
    const { begin, create, store } = context;
    const session = await create();
    const { late } = await takeOver(context, session);
    equal(await store.renewTurn(session, { turnId: late, leaseMs: 60_000 }), false);
    const end = { turnId: late, messages: [said("late")], images: ["https://images.example/late"] };
    equal(await store.endTurn(session, end), false);
    equal((await begin(session)).outcome, "busy");
  },
  "a turn whose lock was taken over appends nothing": async (context) => {
    const { begun, create, store } = context;
    const session = await create();
    const { late, next } = await takeOver(context, session);
    await store.endTurn(session, { turnId: late, messages: [said("late")], images: ["https://images.example/late"] });
    equal(await store.endTurn(session, { turnId: next, messages: [said("good")], images: [] }), true);
    const { messages, images } = await begun(session);
    deepEqual([messages, images], [[said("good")], []]);
  },
  "a turn whose lease has expired can end if no other turn has begun": async ({ begun, create, store, wait }) => {
    const session = await create();
    const { turnId } = await begun(session, { leaseMs: 20 });
    await wait(60);
    equal(await store.endTurn(session, { turnId, messages: [said("slow")], images: [] }), true);
    deepEqual((await begun(session)).messages, [said("slow")]);
  },
  "a renewal extends the lease": async ({ begin, begun, create, store, wait }) =>
    retryWithMoreTime(async (unitMs) => {
      const session = await create();
      const { turnId } = await begun(session, { leaseMs: 2 * unitMs });
      equal(await store.renewTurn(session, { turnId, leaseMs: 60_000 }), true);
      await wait(3 * unitMs);
      equal((await begin(session)).outcome, "busy");
    }),
  "a renewal can shorten the lease": async ({ begin, begun, create, store, until }) => {
    const session = await create();
    const { turnId } = await begun(session);
    equal(await store.renewTurn(session, { turnId, leaseMs: 30 }), true);
    await until(async () => (await begin(session)).outcome === "begun");
  },
  "a lease starts at its renewal": async ({ begin, begun, create, store, wait }) =>
    retryWithMoreTime(async (unitMs) => {
      const session = await create();
      const { turnId } = await begun(session, { leaseMs: 4 * unitMs });
      for (let renewal = 0; renewal < 3; renewal++) {
        await wait(2 * unitMs);
        equal(await store.renewTurn(session, { turnId, leaseMs: 4 * unitMs }), true);
      }
      await wait(2 * unitMs);
      equal((await begin(session)).outcome, "busy");
    }),
};

/** Returns a turn whose lease has expired, and the turn that has taken over the lock. */
async function takeOver(
  { begin, begun, until }: SessionContext,
  session: Parameters<SessionContext["begin"]>[0],
): Promise<{ readonly late: string; readonly next: string }> {
  const { turnId: late } = await begun(session, { leaseMs: 30 });
  const next = crypto.randomUUID();
  await until(async () => (await begin(session, { turnId: next })).outcome === "begun");
  return { late, next };
}
