import { deepEqual, equal } from "node:assert/strict";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import { unhurried } from "../unhurried.ts";
import { afresh, type LimiterContext, retryAfterMs } from "./context.ts";

const minute = (limit: number) => ({ limit, windowSeconds: 60 });

/** What holds of `countRequest`. */
export const requestCases: Cases<LimiterContext> = {
  "the remainder goes down by one a request": async ({ count }) => {
    const answers = [await count(minute(3)), await count(minute(3)), await count(minute(3)), await count(minute(3))];
    deepEqual(
      answers.map(({ granted, state }) => [granted, state.limit, state.remaining]),
      [
        [true, 3, 2],
        [true, 3, 1],
        [true, 3, 0],
        [false, 3, 0],
      ],
    );
  },
  "later requests do not move the window": (context) =>
    unhurried(async (unitMs) => {
      const { count, wait } = afresh(context);
      const first = await count(minute(3));
      await wait(unitMs);
      const second = await count(minute(3));
      // Both are read off a clock that goes on between the store's look at it and the answer's.
      const moved = Math.abs(second.state.resetAt - first.state.resetAt);
      equal(moved < unitMs / 2, true, `the reset moved by ${moved} ms in ${unitMs} ms`);
    }),
  "the first request opens the window": async ({ count }) => {
    const { state } = await count(minute(3));
    const left = state.resetAt - state.now;
    equal(left > 59_000 && left <= 60_000, true, `${left} ms are left of a fresh window of a minute`);
  },
  "of fifty parallel requests exactly the limit passes": async (context) => {
    const answers = await crowd(context, 50, (client) => client.countRequest(context.subject, minute(10)));
    equal(answers.filter(({ granted }) => granted).length, 10);
  },
  "a limit of zero lets nothing pass": async ({ count }) => {
    equal((await count(minute(0))).granted, false);
  },
  "subjects are counted apart, whatever their names": async ({ store, subject }) => {
    for (const name of ["__proto__", "constructor", `${subject}:1`, `${subject}:2`, `${subject}:*`]) {
      equal((await store.countRequest(`${name}${subject}`, minute(1))).granted, true);
      equal((await store.countRequest(`${name}${subject}`, minute(1))).granted, false);
    }
  },
  "waiting Retry-After and asking alone succeeds, in a fresh window": (context) =>
    unhurried(async (unitMs) => {
      const { count, wait } = afresh(context);
      const window = { limit: 2, windowSeconds: Math.ceil(unitMs / 200) };
      await count(window);
      await count(window);
      const refused = await count(window);
      equal(refused.granted, false);
      equal(retryAfterMs(refused.state), 1_000 * window.windowSeconds);
      await wait(retryAfterMs(refused.state));
      const answers = [await count(window), await count(window), await count(window)];
      deepEqual(
        answers.map(({ granted }) => granted),
        [true, true, false],
      );
    }),
};
