import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { type LimiterContext, retryAfterMs, withNewSubject } from "./context.ts";

const minute = (limit: number) => ({ limit, windowSeconds: 60 });

/** The cases of `countRequest`. */
export const requestCases: Cases<LimiterContext> = {
  "each request reduces the remaining count by one": async ({ count }) => {
    const results = [await count(minute(3)), await count(minute(3)), await count(minute(3)), await count(minute(3))];
    deepEqual(
      results.map(({ granted, state }) => [granted, state.limit, state.remaining]),
      [
        [true, 3, 2],
        [true, 3, 1],
        [true, 3, 0],
        [false, 3, 0],
      ],
    );
  },
  "later requests do not extend the window": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { count, wait } = withNewSubject(context);
      const first = await count(minute(3));
      await wait(unitMs);
      const second = await count(minute(3));
      // Both times depend on when the store and the result read the clock.
      const moved = Math.abs(second.state.resetAt - first.state.resetAt);
      equal(moved < unitMs / 2, true, `the reset moved by ${moved} ms in ${unitMs} ms`);
    }),
  "the first request opens the window": async ({ count }) => {
    const { state } = await count(minute(3));
    const left = state.resetAt - state.now;
    equal(left > 59_000 && left <= 60_000, true, `${left} ms are left of a fresh window of a minute`);
  },
  "exactly the limit of 50 parallel requests is granted": async (context) => {
    const results = await callConcurrently(context, 50, (client) => client.countRequest(context.subject, minute(10)));
    equal(results.filter(({ granted }) => granted).length, 10);
  },
  "a limit of zero grants nothing": async ({ count }) => {
    equal((await count(minute(0))).granted, false);
  },
  "subjects are counted separately, whatever their names": async ({ store, subject }) => {
    for (const name of ["__proto__", "constructor", `${subject}:1`, `${subject}:2`, `${subject}:*`]) {
      equal((await store.countRequest(`${name}${subject}`, minute(1))).granted, true);
      equal((await store.countRequest(`${name}${subject}`, minute(1))).granted, false);
    }
  },
  "a request after Retry-After succeeds, in a new window": (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { count, wait } = withNewSubject(context);
      const window = { limit: 2, windowSeconds: Math.ceil(unitMs / 200) };
      await count(window);
      await count(window);
      const refused = await count(window);
      equal(refused.granted, false);
      equal(retryAfterMs(refused.state), 1_000 * window.windowSeconds);
      await wait(retryAfterMs(refused.state));
      const results = [await count(window), await count(window), await count(window)];
      deepEqual(
        results.map(({ granted }) => granted),
        [true, true, false],
      );
    }),
};
