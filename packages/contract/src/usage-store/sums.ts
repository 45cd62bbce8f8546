import { deepEqual, equal } from "node:assert/strict";
import { latencyBounds, type UsageSummaryRow } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { dayMs, type UsageContext } from "./context.ts";

/** Questions with the same answer: one that needs the rows, and those that totals can answer, of everything and of the account. */
async function bothWays({ summary, account, key, model }: UsageContext): Promise<UsageSummaryRow> {
  const [fromTotals, ...others] = await summary();
  deepEqual(others, []);
  for (const filter of [
    { key, model },
    { account, model },
    { account, key },
  ] as const) {
    deepEqual(await summary({ filter }), [fromTotals]);
  }
  if (fromTotals === undefined) throw new Error("The summary has no row, but requests were recorded.");
  return fromTotals;
}

/** The cases of the sums of a summary. */
export const sumCases: Cases<UsageContext> = {
  "tokens are summed by class": async (context) => {
    const tokens = { input: 2 ** 40, cachedInput: 40, cacheWrite5m: 30, cacheWrite1h: 20, output: 10, reasoning: 1 };
    await context.store.record([context.row(0), context.row(3 * dayMs, { tokens })]);
    const { tokens: sum, requests } = await bothWays(context);
    deepEqual(sum, {
      input: 2 ** 40 + 10,
      cachedInput: 43,
      cacheWrite5m: 32,
      cacheWrite1h: 21,
      output: 30,
      reasoning: 6,
    });
    equal(requests, 2);
  },
  "costs beyond 2^53 are exact": async (context) => {
    const cost = 2n ** 53n + 1n;
    await context.store.record([context.row(0, { cost, upstreamCost: cost }), context.row(1, { cost })]);
    await context.store.record([context.row(2, { cost: 1n, upstreamCost: 2n })]);
    const sum = await bothWays(context);
    deepEqual([sum.cost, sum.upstreamCost, sum.costWithUpstream], [2n * cost + 1n, cost + 2n, cost + 1n]);
  },
  "requests fail with a status from 500 on or a broken stream, and are refused with one from 400 to 499": async (
    context,
  ) => {
    await context.store.record([
      context.row(0, { status: 399 }),
      context.row(1, { status: 400, ending: "refused" }),
      context.row(2, { status: 200, ending: "upstream_failed" }),
      context.row(3, { status: 502, ending: "upstream_failed" }),
      context.row(4, { ending: "client_gone" }),
      context.row(5, { status: 400, ending: "upstream_failed" }),
      context.row(6, { status: 499, ending: "client_gone" }),
    ]);
    const { failed, refused } = await bothWays(context);
    deepEqual({ failed, refused }, { failed: 2, refused: 3 });
  },
  "durations are counted by their upper bounds": async (context) => {
    const [first = 0, second = 0] = latencyBounds;
    const last = latencyBounds.at(-1) ?? 0;
    const given = [0, first, first + 1, second, last, last + 1, last + 1_000_000];
    await context.store.record(given.map((durationMs, index) => context.row(index, { durationMs })));
    const expected = new Array<number>(latencyBounds.length + 1).fill(0);
    expected.splice(0, 2, 2, 2);
    expected.splice(-2, 2, 1, 2);
    deepEqual((await bothWays(context)).durations, expected);
  },
  "times to first content are counted apart, and requests without one are not": async (context) => {
    await context.store.record([context.row(0), context.row(1, { firstContentMs: 0, durationMs: 400_000 })]);
    const { firstContents, durations } = await bothWays(context);
    equal(firstContents[0], 1);
    equal(
      firstContents.reduce((sum, requests) => sum + requests, 0),
      1,
    );
    equal(durations.at(-1), 1);
  },
  "a time without requests has no rows": async (context) => {
    await context.store.record([context.row(0)]);
    const from = new Date(context.month + dayMs);
    deepEqual(await context.summary({ from, to: new Date(from.getTime() + 20 * dayMs) }), []);
    deepEqual(await context.summary({ from, to: from }), []);
  },
};
