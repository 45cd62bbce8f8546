import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { type LimiterContext, retryAfterMs, tokensOf, withNewSubject } from "./context.ts";

/** The cases of tokens: `reserve`, and the correction by `settle`. */
export const tokenCases: Cases<LimiterContext> = {
  "reservations can use the whole limit and no more": async ({ reserve }) => {
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true);
    const refused = await reserve({ tokens: tokensOf(41, 100) });
    if (refused.granted) throw new Error("41 tokens were granted where 40 were left.");
    deepEqual([refused.refusedBy, refused.state.limit, refused.state.remaining], ["tokens", 100, 40]);
    const left = refused.state.resetAt - refused.state.now;
    equal(left > 55_000 && left <= 60_000, true, `${left} ms are left of a fresh window of a minute`);
    equal((await reserve({ tokens: tokensOf(40, 100) })).granted, true);
  },
  "of 50 parallel reservations, exactly those that fit the limit are granted": async (context) => {
    const results = await callConcurrently(context, 50, (client) =>
      client.reserve(context.reservation({ tokens: tokensOf(10, 105) })),
    );
    equal(results.filter(({ granted }) => granted).length, 10);
  },
  "an estimate above the limit counts as the limit": async ({ reserve }) => {
    equal((await reserve({ tokens: tokensOf(1_000, 100) })).granted, true);
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false);
  },
  "a reservation without limits is granted": async ({ reserve }) => {
    deepEqual(await reserve({}), { granted: true });
  },
  "a settlement refunds unused tokens": async ({ store, reservation, reserve }) => {
    const running = reservation({ tokens: tokensOf(100, 100) });
    await store.reserve(running);
    await store.settle(running, 40);
    equal((await reserve({ tokens: tokensOf(61, 100) })).granted, false);
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true);
  },
  "a settlement charges use above the estimate": async ({ store, reservation, reserve }) => {
    const running = reservation({ tokens: tokensOf(10, 100) });
    await store.reserve(running);
    await store.settle(running, 250);
    const refused = await reserve({ tokens: tokensOf(1, 100) });
    if (refused.granted) throw new Error("A token was granted where 250 of 100 had been used.");
    equal(refused.state.remaining, 0);
  },
  "a repeated settlement, or one of an unknown reservation, refunds nothing": async ({
    store,
    reservation,
    reserve,
  }) => {
    const [one, other] = [reservation({ tokens: tokensOf(50, 100) }), reservation({ tokens: tokensOf(50, 100) })];
    await store.reserve(one);
    await store.reserve(other);
    for (let times = 0; times < 3; times++) await store.settle(one, 50);
    await store.settle(reservation({ tokens: tokensOf(50, 100) }), 0);
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false);
  },
  "a settlement without `tokens` releases only the place, and the tokens are corrected later, once": async (
    context,
  ) => {
    const { store, reservation, reserve } = context;
    const running = reservation({ concurrency: 1, tokens: tokensOf(100, 100) });
    await store.reserve(running);
    await store.settle({ ...running, tokens: undefined }, 100);
    equal((await reserve({ concurrency: 1 })).granted, true, "The place must be free.");
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false, "The tokens must still be reserved.");
    await store.settle({ ...running, concurrency: undefined }, 40);
    await store.settle({ ...running, concurrency: undefined }, 0);
    equal((await reserve({ tokens: tokensOf(61, 100) })).granted, false, "The used tokens must be charged.");
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true, "The unused tokens must be refunded.");
  },
  "parallel settlements of one reservation refund once": async (context) => {
    const running = context.reservation({ tokens: tokensOf(50, 100) });
    await context.store.reserve(running);
    await context.reserve({ tokens: tokensOf(50, 100) });
    await callConcurrently(context, 20, (client) => client.settle(running, 40));
    equal((await context.reserve({ tokens: tokensOf(11, 100) })).granted, false);
    equal((await context.reserve({ tokens: tokensOf(10, 100) })).granted, true);
  },
  "a reservation refused for concurrency takes no tokens": async ({ store, reservation, reserve }) => {
    const running = reservation({ concurrency: 1, tokens: tokensOf(10, 100) });
    await store.reserve(running);
    const refused = await reserve({ concurrency: 1, tokens: tokensOf(90, 100) });
    equal(refused.granted || refused.refusedBy, "concurrency");
    await store.settle(running, 10);
    equal((await reserve({ concurrency: 1, tokens: tokensOf(90, 100) })).granted, true);
  },
  "what exceeds the limit is carried into the next windows, and Retry-After is long enough to pay it off": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, wait, reservation, reserve } = withNewSubject(context);
      const tokens = (amount: number) => tokensOf(amount, 100, Math.ceil(unitMs / 200));
      const running = reservation({ tokens: tokens(10) });
      await store.reserve(running);
      await store.settle(running, 250);
      const refused = await reserve({ tokens: tokens(60) });
      if (refused.granted) throw new Error("Tokens were granted where 250 of 100 had been used.");
      const { resetAt, now } = refused.state;
      equal(
        resetAt - now > 2_000 * Math.ceil(unitMs / 200),
        true,
        "The second window leaves 50 of 100, so the third is named.",
      );
      const less = await reserve({ tokens: tokens(50) });
      if (less.granted) throw new Error("Tokens were granted where 250 of 100 had been used.");
      equal(less.state.resetAt < resetAt, true, "50 tokens fit into the second window.");
      await wait(retryAfterMs(refused.state));
      equal((await reserve({ tokens: tokens(60) })).granted, true, "Retry-After must be long enough.");
    }),
  "what was used beyond a reservation of an ended window is added to the open one, once": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, wait, reservation, reserve } = withNewSubject(context);
      const tokens = (amount: number) => tokensOf(amount, 100, Math.ceil(unitMs / 200));
      const running = reservation({ tokens: tokens(100) });
      await store.reserve(running);
      const refused = await reserve({ tokens: tokens(1) });
      if (refused.granted) throw new Error("Tokens were granted where none were left.");
      await wait(retryAfterMs(refused.state));
      equal((await reserve({ tokens: tokens(30) })).granted, true);
      await store.settle(running, 140);
      await store.settle(running, 190);
      equal((await reserve({ tokens: tokens(31) })).granted, false, "30 are reserved, and 40 were used beyond.");
      equal((await reserve({ tokens: tokens(30) })).granted, true);
    }),
  "what was used beyond a reservation counts at once when its window has ended and no other is open": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, wait, reservation, reserve } = withNewSubject(context);
      const tokens = (amount: number) => tokensOf(amount, 100, Math.ceil(unitMs / 200));
      const running = reservation({ tokens: tokens(100) });
      await store.reserve(running);
      const refused = await reserve({ tokens: tokens(1) });
      if (refused.granted) throw new Error("Tokens were granted where none were left.");
      await wait(retryAfterMs(refused.state));
      await store.settle(running, 160);
      equal((await reserve({ tokens: tokens(41) })).granted, false, "60 were used beyond the reservation.");
      equal((await reserve({ tokens: tokens(40) })).granted, true);
    }),
  "a new window starts empty and is not affected by refunds of the previous one": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { store, wait, reservation, reserve } = withNewSubject(context);
      const tokens = (amount: number) => tokensOf(amount, 100, Math.ceil(unitMs / 200));
      const running = reservation({ tokens: tokens(100) });
      await store.reserve(running);
      const refused = await reserve({ tokens: tokens(100) });
      if (refused.granted) throw new Error("Tokens were granted where none were left.");
      await wait(retryAfterMs(refused.state));
      equal((await reserve({ tokens: tokens(100) })).granted, true, "Retry-After must be long enough.");
      await store.settle(running, 0);
      equal((await reserve({ tokens: tokens(1) })).granted, false, "A refund must not affect a later window.");
    }),
};
