import { deepEqual, equal, rejects } from "node:assert/strict";
import type { UsageRow } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { brief, dayMs, type UsageContext } from "./context.ts";

/** Records one row for each name; the n-th costs n times 100. */
async function recordNamed({ store, row }: UsageContext, names: readonly Partial<UsageRow>[]): Promise<void> {
  await store.record(names.map((name, index) => row(index * dayMs, { cost: BigInt(index + 1) * 100n, ...name })));
}

/** The cases of `groupBy` and `top`. */
export const groupCases: Cases<UsageContext> = {
  "usage is grouped by model, also without a filter": async (context) => {
    const { model, month } = context;
    const { model: _, ...none } = context.row(dayMs, { cost: 50n });
    await recordNamed(context, [{}, { model: `${model}-b` }, {}]);
    await context.store.record([none]);
    const expected = [`0 ${model} 2`, `0 ${model}-b 1`, "0 (none) 1"];
    deepEqual(brief(month, await context.summary({ groupBy: "model", filter: {} })), expected);
    deepEqual(brief(month, await context.summary({ groupBy: "model" })), expected);
  },
  "usage is grouped by account": async (context) => {
    const { account, month } = context;
    await recordNamed(context, [{}, { account: `${account}-b` }]);
    deepEqual(brief(month, await context.summary({ groupBy: "account", filter: {} })), [
      `0 ${account}-b 1`,
      `0 ${account} 1`,
    ]);
  },
  "usage is grouped by key": async (context) => {
    const { key, month } = context;
    await recordNamed(context, [{}, { keyId: `${key}-b` }]);
    const expected = [`0 ${key}-b 1`, `0 ${key} 1`];
    deepEqual(brief(month, await context.summary({ groupBy: "key", filter: {} })), expected);
    deepEqual(brief(month, await context.summary({ groupBy: "key" })), expected);
  },
  "usage is grouped by target": async (context) => {
    const { target: _, ...none } = context.row(0, { cost: 1n });
    await recordNamed(context, [{}, { target: { provider: "b", upstreamModel: "c/d" } }]);
    await context.store.record([none]);
    deepEqual(brief(context.month, await context.summary({ groupBy: "target" })), [
      "0 b/c/d 1",
      "0 acme/up-1 1",
      "0 (none) 1",
    ]);
  },
  "usage is grouped by dialect": async (context) => {
    await recordNamed(context, [{}, {}]);
    deepEqual(brief(context.month, await context.summary({ groupBy: "dialect" })), ["0 chat 2"]);
  },
  "usage is grouped by status": async (context) => {
    await recordNamed(context, [{ status: 502 }, {}, { status: 429 }]);
    deepEqual(brief(context.month, await context.summary({ groupBy: "status" })), ["0 429 1", "0 200 1", "0 502 1"]);
  },
  "usage is grouped by end user": async (context) => {
    await recordNamed(context, [{ endUser: "a'" }, {}, { endUser: "b" }, { endUser: "a'" }]);
    deepEqual(brief(context.month, await context.summary({ groupBy: "end_user" })), ["0 a' 2", "0 b 1", "0 (none) 1"]);
  },
  "usage is grouped by tag, and a row counts once in each of its tags": async (context) => {
    await recordNamed(context, [{ tags: ["red", 'a"b'] }, {}, { tags: ["red", "red"] }, { tags: [""] }]);
    // From totals, and from rows.
    for (const filter of [{ account: context.account }, { account: context.account, key: context.key }]) {
      const rows = await context.summary({ groupBy: "tag", filter });
      deepEqual(brief(context.month, rows), ["0 (none) 2", "0 red 2", '0 a"b 1']);
      deepEqual(
        rows.map(({ cost }) => cost),
        [600n, 400n, 100n],
      );
    }
    const [named, others] = await context.summary({ groupBy: "tag", top: 1 });
    deepEqual([named?.group, named?.requests, others?.others, others?.requests], [undefined, 2, true, 3]);
    const ofRed = await context.summary({ groupBy: "tag", filter: { account: context.account, tag: "red" } });
    deepEqual(brief(context.month, ofRed), ["0 red 2", '0 a"b 1']);
    const total = await context.summary({ filter: { account: context.account, tag: "red" } });
    deepEqual(brief(context.month, total), ["0 (none) 2"]);
  },
  "the models and keys of an account are grouped, also where its days are not whole": async (context) => {
    const { account, key, model, month, store, row } = context;
    await store.record([
      row(0),
      row(dayMs, { model: `${model}-b`, cost: 400n }),
      row(dayMs + 5, { keyId: `${key}-b`, cost: 200n }),
      row(dayMs, { account: `${account}-b` }),
    ]);
    deepEqual(brief(month, await context.summary({ groupBy: "model" })), [`0 ${model}-b 1`, `0 ${model} 2`]);
    deepEqual(brief(month, await context.summary({ groupBy: "key", bucket: "day" })), [
      `0 ${key} 1`,
      `24 ${key} 1`,
      `24 ${key}-b 1`,
    ]);
    const from = new Date(month + dayMs + 1);
    deepEqual(brief(month, await context.summary({ groupBy: "key", bucket: "day", from })), [`24 ${key}-b 1`]);
    deepEqual(brief(month, await context.summary({ groupBy: "model", filter: { account: `${account}-b` } })), [
      `0 ${model} 1`,
    ]);
    deepEqual(brief(month, await context.summary({ groupBy: "dialect", bucket: "day" })), ["0 chat 1", "24 chat 2"]);
    deepEqual(await context.summary({ groupBy: "model", filter: { account: `${account}-c` } }), []);
  },
  "the groups with the highest cost are named, and the others are summed": async (context) => {
    const { key, month } = context;
    await recordNamed(context, [{ keyId: `${key}-1` }, { keyId: `${key}-2` }, { keyId: `${key}-3`, cost: 400n }]);
    for (const filter of [{}, { account: context.account }]) {
      const rows = await context.summary({ groupBy: "key", top: 1, filter });
      deepEqual(brief(month, rows), [`0 ${key}-3 1`, "0 (others) 2"]);
      deepEqual(
        rows.map(({ cost }) => cost),
        [400n, 300n],
      );
    }
  },
  "the same groups are named in all buckets": async (context) => {
    const { model, month, row } = context;
    await context.store.record([
      row(0, { model: `${model}-rare`, cost: 50n }),
      row(1, { cost: 10n }),
      row(dayMs, { cost: 1_000n }),
    ]);
    deepEqual(brief(month, await context.summary({ groupBy: "model", bucket: "day", top: 1, filter: {} })), [
      "0 (others) 1",
      `0 ${model} 1`,
      `24 ${model} 1`,
    ]);
  },
  "20 groups are named by default": async (context) => {
    const { key } = context;
    await recordNamed(
      context,
      Array.from({ length: 22 }, (_, index) => ({ keyId: `${key}-${index}` })),
    );
    const rows = await context.summary({ groupBy: "key" });
    equal(rows.length, 21);
    deepEqual(
      rows.filter(({ others }) => others).map(({ requests }) => requests),
      [2],
    );
  },
  "a top of less than one is refused": async ({ summary }) => {
    for (const top of [0, -1, 1.5, Number.NaN]) await rejects(summary({ groupBy: "key", top }), RangeError);
  },
};
