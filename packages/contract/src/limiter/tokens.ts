import { deepEqual, equal } from "node:assert/strict";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { unhurried } from "../unhurried.ts";
import { afresh, type LimiterContext, retryAfterMs, tokensOf } from "./context.ts";

/** What holds of tokens: `reserve`, and their correction by `settle`. */
export const tokenCases: Cases<LimiterContext> = {
  "the limit can be used up and not passed": async ({ reserve }) => {
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true);
    const refused = await reserve({ tokens: tokensOf(41, 100) });
    if (refused.granted) throw new Error("41 tokens were granted where 40 were left.");
    deepEqual([refused.refusedBy, refused.state.limit, refused.state.remaining], ["tokens", 100, 40]);
    const left = refused.state.resetAt - refused.state.now;
    equal(left > 55_000 && left <= 60_000, true, `${left} ms are left of a fresh window of a minute`);
    equal((await reserve({ tokens: tokensOf(40, 100) })).granted, true);
  },
  "of fifty parallel reservations exactly as many pass as fit": async (context) => {
    const answers = await crowd(context, 50, (client) =>
      client.reserve(context.reservation({ tokens: tokensOf(10, 105) })),
    );
    equal(answers.filter(({ granted }) => granted).length, 10);
  },
  "an estimate above the limit counts as the limit": async ({ reserve }) => {
    equal((await reserve({ tokens: tokensOf(1_000, 100) })).granted, true);
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false);
  },
  "a reservation without limits is granted": async ({ reserve }) => {
    deepEqual(await reserve({}), { granted: true });
  },
  "settling gives back what was not used": async ({ store, reservation, reserve }) => {
    const running = reservation({ tokens: tokensOf(100, 100) });
    await store.reserve(running);
    await store.settle(running, 40);
    equal((await reserve({ tokens: tokensOf(61, 100) })).granted, false);
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true);
  },
  "settling takes what was used above the estimate": async ({ store, reservation, reserve }) => {
    const running = reservation({ tokens: tokensOf(10, 100) });
    await store.reserve(running);
    await store.settle(running, 250);
    const refused = await reserve({ tokens: tokensOf(1, 100) });
    if (refused.granted) throw new Error("A token was granted where 250 of 100 had been used.");
    equal(refused.state.remaining, 0);
  },
  "settling twice, or what was never reserved, gives nothing back": async ({ store, reservation, reserve }) => {
    const [one, other] = [reservation({ tokens: tokensOf(50, 100) }), reservation({ tokens: tokensOf(50, 100) })];
    await store.reserve(one);
    await store.reserve(other);
    for (let times = 0; times < 3; times++) await store.settle(one, 50);
    await store.settle(reservation({ tokens: tokensOf(50, 100) }), 0);
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false);
  },
  "settling without `tokens` frees the place alone, and the tokens are corrected later, once": async (context) => {
    const { store, reservation, reserve } = context;
    const running = reservation({ concurrency: 1, tokens: tokensOf(100, 100) });
    await store.reserve(running);
    await store.settle({ ...running, tokens: undefined }, 100);
    equal((await reserve({ concurrency: 1 })).granted, true, "the place must be free");
    equal((await reserve({ tokens: tokensOf(1, 100) })).granted, false, "the tokens must still be taken");
    await store.settle({ ...running, concurrency: undefined }, 40);
    await store.settle({ ...running, concurrency: undefined }, 0);
    equal((await reserve({ tokens: tokensOf(61, 100) })).granted, false, "what was used must be taken");
    equal((await reserve({ tokens: tokensOf(60, 100) })).granted, true, "the rest must be given back");
  },
  "parallel settlements of one reservation give back once": async (context) => {
    const running = context.reservation({ tokens: tokensOf(50, 100) });
    await context.store.reserve(running);
    await context.reserve({ tokens: tokensOf(50, 100) });
    await crowd(context, 20, (client) => client.settle(running, 40));
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
  "a fresh window gives all back, and settles nothing of the last one": (context) =>
    unhurried(async (unitMs) => {
      const { store, wait, reservation, reserve } = afresh(context);
      const tokens = (amount: number) => tokensOf(amount, 100, Math.ceil(unitMs / 200));
      const running = reservation({ tokens: tokens(100) });
      await store.reserve(running);
      const refused = await reserve({ tokens: tokens(100) });
      if (refused.granted) throw new Error("Tokens were granted where none were left.");
      await wait(retryAfterMs(refused.state));
      equal((await reserve({ tokens: tokens(100) })).granted, true, "waiting Retry-After must be enough");
      await store.settle(running, 0);
      equal((await reserve({ tokens: tokens(1) })).granted, false, "a refund must not cross windows");
    }),
};
