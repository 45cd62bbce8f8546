import { deepEqual } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { hourMs, type UsageContext } from "./context.ts";

const answering = { provider: "acme", upstreamModel: "up-1" };
const failing = { provider: "b", upstreamModel: "c/d" };

/** Returns the attempts from `from` to before `to`, in milliseconds after the month of the case. */
async function attempts({ store, month }: UsageContext, from: number, to: number) {
  return store.attempts({ from: new Date(month + from), to: new Date(month + to) });
}

/** The cases of `attempts`. */
export const attemptCases: Cases<UsageContext> = {
  "attempts without failures count for the target of their row": async (context) => {
    const { target: _, ...none } = context.row(0, { attempts: 0 });
    await context.store.record([context.row(0), context.row(1, { attempts: 2 }), none]);
    deepEqual(await attempts(context, 0, hourMs), [{ ...answering, attempts: 3, failed: {} }]);
  },
  "a target from which requests fail over is counted with the classes of its failures": async (context) => {
    const attemptsByTarget = [
      { ...failing, attempts: 3, failed: { timeout: 2, unreachable: 1 } },
      { ...answering, attempts: 1, failed: {} },
    ];
    const row = (afterMs: number) => context.row(afterMs, { attempts: 4, attemptsByTarget });
    await context.store.record([row(0), row(1)]);
    deepEqual(await attempts(context, 0, hourMs), [
      { ...answering, attempts: 2, failed: {} },
      { ...failing, attempts: 6, failed: { timeout: 4, unreachable: 2 } },
    ]);
  },
  "attempts of a row that exists are not counted again": async (context) => {
    const row = context.row(0);
    await context.store.record([row, row]);
    await context.store.record([row]);
    deepEqual(await attempts(context, 0, hourMs), [{ ...answering, attempts: 1, failed: {} }]);
  },
  "the period is extended to whole hours": async (context) => {
    await context.store.record([-1, 0, hourMs, 2 * hourMs, 3 * hourMs].map((afterMs) => context.row(afterMs)));
    deepEqual(await attempts(context, hourMs - 1, 2 * hourMs + 1), [{ ...answering, attempts: 3, failed: {} }]);
    deepEqual(await attempts(context, hourMs, 2 * hourMs), [{ ...answering, attempts: 1, failed: {} }]);
  },
  "attempts are kept when rows are pruned": async (context) => {
    await context.store.record([context.row(0)]);
    while ((await context.store.prune(new Date(context.month + hourMs))) > 0);
    deepEqual(await attempts(context, 0, hourMs), [{ ...answering, attempts: 1, failed: {} }]);
  },
};
