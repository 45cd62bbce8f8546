import { deepEqual, equal } from "node:assert/strict";
import type { UsageStore } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { brief, dayMs, hourMs, type UsageContext } from "./context.ts";

/** Prunes until nothing is left to remove, and returns how many rows were removed. */
async function pruneAll(store: UsageStore, before: Date): Promise<number> {
  let removed = 0;
  for (let last = -1; last !== 0; removed += last) last = await store.prune(before);
  return removed;
}

/** The cases of `prune`. */
export const pruneCases: Cases<UsageContext> = {
  "older rows are removed, and one of that time is kept": async ({ store, account, row, month }) => {
    await pruneAll(store, new Date(month));
    const kept = row(dayMs);
    await store.record([row(0), row(dayMs - 1), kept]);
    equal(await pruneAll(store, kept.at), 2);
    deepEqual(await store.list({ filter: { account }, limit: 5 }), { rows: [kept] });
    equal(await store.prune(kept.at), 0);
  },
  "totals by model, account and key are kept": async (context) => {
    const { account, key, model, month, store, row } = context;
    await store.record([row(0), row(dayMs), row(2 * dayMs)]);
    const before = await context.summary({ bucket: "day" });
    await pruneAll(store, new Date(month + 2 * dayMs));
    deepEqual(await context.summary({ bucket: "day" }), before);
    for (const filter of [{ account }, { key }, { model }]) {
      deepEqual(brief(month, await context.summary({ filter })), ["0 (none) 3"]);
    }
    for (const [groupBy, name] of [
      ["account", account],
      ["key", key],
      ["model", model],
    ] as const) {
      deepEqual(brief(month, await context.summary({ filter: {}, groupBy })), [`0 ${name} 3`]);
    }
  },
  "totals of the models and keys of an account are kept": async (context) => {
    const { account, key, model, month, store, row } = context;
    await store.record([row(0), row(dayMs, { keyId: `${key}-b` }), row(2 * dayMs, { account: `${account}-b` })]);
    const queries = [{ groupBy: "model" }, { groupBy: "key" }, { filter: { account, model } }] as const;
    const before = await Promise.all(queries.map(async (query) => context.summary({ bucket: "day", ...query })));
    await pruneAll(store, new Date(month + 2 * dayMs));
    const after = await Promise.all(queries.map(async (query) => context.summary({ bucket: "day", ...query })));
    deepEqual(after, before);
    deepEqual(
      after.map((rows) => brief(month, rows)),
      [
        [`0 ${model} 1`, `24 ${model} 1`],
        [`0 ${key} 1`, `24 ${key}-b 1`],
        ["0 (none) 1", "24 (none) 1"],
      ],
    );
  },
  "totals of hours that have begun are kept": async (context) => {
    const { account, month, store, row } = context;
    await store.record([row(0), row(1), row(hourMs)]);
    await pruneAll(store, new Date(month + 1));
    deepEqual(brief(month, await context.summary({ bucket: "hour", groupBy: "account" })), [
      `0 ${account} 2`,
      `1 ${account} 1`,
    ]);
  },
  "other summaries read the rows that are left": async (context) => {
    const { key, model, month, store, row } = context;
    await store.record([row(0), row(2 * dayMs)]);
    await pruneAll(store, new Date(month + dayMs));
    deepEqual(brief(month, await context.summary({ groupBy: "status" })), ["0 200 1"]);
    deepEqual(brief(month, await context.summary({ filter: { key, model } })), ["0 (none) 1"]);
  },
};
