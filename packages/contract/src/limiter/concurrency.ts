import { deepEqual, equal } from "node:assert/strict";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { unhurried } from "../unhurried.ts";
import { afresh, type LimiterContext, tokensOf } from "./context.ts";

/** What holds of places: `reserve`, `renew` and `settle`. */
export const concurrencyCases: Cases<LimiterContext> = {
  "of twenty parallel reservations exactly the limit is granted": async (context) => {
    const answers = await crowd(context, 20, (client) => client.reserve(context.reservation({ concurrency: 3 })));
    equal(answers.filter(({ granted }) => granted).length, 3);
    const refused = answers.find((answer) => !answer.granted);
    if (refused === undefined || refused.granted) throw new Error("Nothing was refused.");
    deepEqual([refused.refusedBy, refused.state.limit, refused.state.remaining], ["concurrency", 3, 0]);
    equal(refused.state.resetAt > refused.state.now, true);
  },
  "settling frees the place, once": async ({ store, reservation, reserve }) => {
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
  "a place whose lease ran out is free": (context) =>
    unhurried(async (unitMs) => {
      const { reserve, wait } = afresh(context);
      equal((await reserve({ concurrency: 1, leaseMs: unitMs })).granted, true);
      await wait(2 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
      equal((await reserve({ concurrency: 1 })).granted, false);
    }),
  "a renewal keeps the place for another lease and no longer": (context) =>
    unhurried(async (unitMs) => {
      const { store, reservation, reserve, wait } = afresh(context);
      const running = reservation({ concurrency: 1, leaseMs: 8 * unitMs });
      await store.reserve(running);
      await wait(5 * unitMs);
      await store.renew([running]);
      await wait(5 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, false);
      await wait(4 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
    }),
  "a renewal brings nothing back that has ended": async ({ store, reservation, reserve }) => {
    const ended = reservation({ concurrency: 1 });
    await store.reserve(ended);
    await store.settle(ended, 0);
    await store.renew([ended, reservation({ concurrency: 1 })]);
    equal((await reserve({ concurrency: 1 })).granted, true);
  },
  "a renewal never makes more places than the limit": (context) =>
    unhurried(async (unitMs) => {
      const { store, reservation, reserve, wait } = afresh(context);
      const late = reservation({ concurrency: 1, leaseMs: unitMs });
      await store.reserve(late);
      await wait(2 * unitMs);
      await store.reserve(reservation({ concurrency: 1, leaseMs: 8 * unitMs }));
      await store.renew([late]);
      equal((await reserve({ concurrency: 1 })).granted, false);
      await wait(9 * unitMs);
      equal((await reserve({ concurrency: 1 })).granted, true);
    }),
  "subjects have places of their own": async ({ reserve, subject }) => {
    equal((await reserve({ concurrency: 1 })).granted, true);
    equal((await reserve({ concurrency: 1, subject: `${subject}-other` })).granted, true);
  },
};
