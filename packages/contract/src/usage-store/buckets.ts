import { deepEqual } from "node:assert/strict";
import type { UsageQuery } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { brief, dayMs, hourMs, type UsageContext } from "./context.ts";

/** Groupings that are read from different totals, and from rows. */
const ways = ({ account, key, model }: UsageContext): readonly Partial<UsageQuery>[] => [
  { filter: { model } },
  { filter: { account } },
  { filter: { key } },
  { filter: { account, key } },
  { filter: { account, model } },
  { filter: { key, model } },
];

/** Checks a summary in each way. `expected` is as `brief` returns it. */
async function expectEachWay(context: UsageContext, query: Partial<UsageQuery>, expected: string[]): Promise<void> {
  for (const way of ways(context))
    deepEqual(brief(context.month, await context.summary({ ...query, ...way })), expected);
}

/** The cases of buckets and time ranges. */
export const bucketCases: Cases<UsageContext> = {
  "hours begin at UTC borders": async (context) => {
    await context.store.record([0, hourMs - 1, hourMs, 26 * hourMs].map((after) => context.row(after)));
    await expectEachWay(context, { bucket: "hour" }, ["0 (none) 2", "1 (none) 1", "26 (none) 1"]);
  },
  "days begin at UTC borders": async (context) => {
    await context.store.record([0, dayMs - 1, dayMs, 9 * dayMs].map((after) => context.row(after)));
    await expectEachWay(context, { bucket: "day" }, ["0 (none) 2", "24 (none) 1", "216 (none) 1"]);
  },
  "months begin at UTC borders": async (context) => {
    const { month, store, row } = context;
    const date = new Date(month);
    const [second, third] = [1, 2].map((more) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more) - month);
    const [next = 0, end = 0] = [second, third];
    await store.record([0, next - 1, next, next + 1, end - 1].map((after) => row(after)));
    await expectEachWay(context, { bucket: "month", to: new Date(month + end) }, [
      "0 (none) 2",
      `${next / hourMs} (none) 3`,
    ]);
    await expectEachWay(context, { to: new Date(month + end) }, ["0 (none) 5"]);
  },
  "the start of a range is included and its end is not, within a bucket too": async (context) => {
    const { month, store, row } = context;
    const from = 5 * hourMs + 1_000;
    const to = 3 * dayMs + 7 * hourMs + 2_000;
    await store.record([from - 1, from, dayMs, to - 1, to].map((after) => row(after)));
    const range = { from: new Date(month + from), to: new Date(month + to) };
    await expectEachWay(context, { ...range, bucket: "day" }, ["0 (none) 1", "24 (none) 1", "72 (none) 1"]);
    await expectEachWay(context, { ...range, bucket: "hour" }, ["5 (none) 1", "24 (none) 1", "79 (none) 1"]);
    await expectEachWay(context, range, [`${from / hourMs} (none) 3`]);
  },
  "rows of a summary are in the order of time, and then of cost": async (context) => {
    const { model, month, store, row } = context;
    await store.record([
      row(dayMs, { model: `${model}-a`, cost: 2n ** 60n }),
      row(0, { model: `${model}-a`, cost: 9n }),
      row(0, { model: `${model}-b`, cost: 10n }),
      row(0, { model: `${model}-c`, cost: 8n }),
    ]);
    deepEqual(brief(month, await context.summary({ groupBy: "model", bucket: "day", filter: {} })), [
      `0 ${model}-b 1`,
      `0 ${model}-a 1`,
      `0 ${model}-c 1`,
      `24 ${model}-a 1`,
    ]);
  },
};
