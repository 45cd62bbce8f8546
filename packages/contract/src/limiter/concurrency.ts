import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { type LimiterContext, tokensOf, withNewSubject } from "./context.ts";

/** The cases of places: `reserve`, `renew` and `settle`. */
export const concurrencyCases: Cases<LimiterContext> = {
  "exactly the limit of 20 parallel reservations is granted": async (context) => {
    const results = await callConcurrently(context, 20, (client) =>
      client.reserve(context.reservation({ concurrency: 3 })),
    );
    equal(results.filter(({ granted }) => granted).length, 3);
    const refused = results.find((result) => !result.granted);
    if (refused === undefined || refused.granted) throw new Error("A reservation must be refused.");
    deepEqual([refused.refusedBy, refused.state.limit, refused.state.remaining], ["concurrency", 3, 0]);
    equal(refused.state.resetAt > refused.state.now, true);
  },
  "a settlement releases the place once": async ({ store, reservation, reserve }) => {
    const running = [reservation({ concurrency: 2 }), reservation({ concurrency: 2 })] as const;
    for (const each of running) await store.reserve(each);
    equal((await reserve({ concurrency: 2 })).granted, false);
    await store.settle(running[0], 0);
    await store.settle(running[0], 0);
    equal((await reserve({ concurrency: 2 })).granted, true);
    equal((await reserve({ concurrency: 2 })).granted, false);
  },
  "a reservation refused for tokens takes no place": async ({ reserve }) => {
    equal((await reserve({ concurrency: 2, tokens: tokensOf(100, 100) })).granted, true);
    const refused = await reserve({ concurrency: 2, tokens: tokensOf(1, 100) });
    equal(refused.granted || refused.refusedBy, "tokens");
    equal((await reserve({ concurrency: 2 })).granted, true);
  },
  "a place is free once its lease has expired": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { reserve, wait } = withNewSubject(context);
      equal((await reserve({ concurrency: 1, leaseMs: unitMs })).granted, true);
      await wait(2 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
      equal((await reserve({ concurrency: 1 })).granted, false);
    }),
  "a renewal keeps the place for exactly one more lease": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, reservation, reserve, wait } = withNewSubject(context);
      const running = reservation({ concurrency: 1, leaseMs: 8 * unitMs });
      await store.reserve(running);
      await wait(5 * unitMs);
      await store.renew([running]);
      await wait(5 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, false);
      await wait(4 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
    }),
  "a renewal does not restore a settled reservation": async ({ store, reservation, reserve }) => {
    const settled = reservation({ concurrency: 1 });
    await store.reserve(settled);
    await store.settle(settled, 0);
    await store.renew([settled, reservation({ concurrency: 1 })]);
    equal((await reserve({ concurrency: 1 })).granted, true);
  },
  "a late renewal never exceeds the limit": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, reservation, reserve, wait } = withNewSubject(context);
      const late = reservation({ concurrency: 1, leaseMs: unitMs });
      await store.reserve(late);
      await wait(2 * unitMs);
      await store.reserve(reservation({ concurrency: 1, leaseMs: 8 * unitMs }));
      await store.renew([late]);
      equal((await reserve({ concurrency: 1 })).granted, false);
      await wait(9 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
    }),
  "subjects have separate places": async ({ reserve, subject }) => {
    equal((await reserve({ concurrency: 1 })).granted, true);
    equal((await reserve({ concurrency: 1, subject: `${subject}-other` })).granted, true);
  },
};
