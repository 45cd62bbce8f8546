import { deepEqual, equal } from "node:assert/strict";
import type { UsageStore } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { brief, dayMs, type UsageContext } from "./context.ts";

const told = { endUser: "ann@host.example", tags: ["team-a", "blue"], timeline: [{ step: "admitted", at: 1 }] };

/** Forgets batch by batch, and returns how many rows were changed. */
async function forgetAll(store: UsageStore, account: string): Promise<number> {
  let { changed, next } = await store.forget({ account });
  while (next !== undefined) {
    const batch = await store.forget({ account, after: next });
    [changed, next] = [changed + batch.changed, batch.next];
  }
  return changed;
}

/** The cases of `forget`. */
export const forgettingCases: Cases<UsageContext> = {
  "end users, tags and timelines are erased, and the rest of a row is kept": async ({ account, store, peer, row }) => {
    const { endUser: _, ...kept } = row(0, { ...told, answerId: "chatcmpl-1", sessionId: crypto.randomUUID() });
    await store.record([{ ...kept, endUser: told.endUser }]);
    equal(await forgetAll(store, account), 1);
    const { rows } = await peer.list({ filter: { account }, limit: 10 });
    deepEqual(rows, [{ ...kept, tags: [], timeline: [] }]);
  },
  "a repeated call changes nothing, and rows that came later are erased": async ({ account, store, row }) => {
    await store.record([row(0, told), row(1)]);
    equal(await forgetAll(store, account), 1);
    equal(await forgetAll(store, account), 0);
    await store.record([row(2, told)]);
    equal(await forgetAll(store, account), 1);
  },
  "rows of other accounts are kept as they are": async ({ account, store, row }) => {
    const other = row(0, { ...told, account: `${account}-b` });
    await store.record([row(0, told), other]);
    equal(await forgetAll(store, account), 1);
    deepEqual((await store.list({ filter: { account: other.account }, limit: 10 })).rows, [other]);
    deepEqual(await store.forget({ account: "nobody" }), { changed: 0 });
  },
  "2,500 rows are changed once each, in batches": async ({ account, store, row }) => {
    const rows = Array.from({ length: 2_500 }, (_, at) => row(at % 7, told));
    for (let first = 0; first < rows.length; first += 500) await store.record(rows.slice(first, first + 500));
    equal(await forgetAll(store, account), 2_500);
    equal(await forgetAll(store, account), 0);
  },
  "its requests are summed up as requests without a tag": async (context) => {
    const { account, month, store, row, summary } = context;
    await store.record([row(0, told), row(1), row(dayMs, told)]);
    deepEqual(brief(month, await summary({ bucket: "day", groupBy: "tag" })), [
      "0 (none) 1",
      "0 blue 1",
      "0 team-a 1",
      "24 blue 1",
      "24 team-a 1",
    ]);
    const before = await summary({ bucket: "day" });
    await forgetAll(store, account);
    deepEqual(brief(month, await summary({ bucket: "day", groupBy: "tag" })), ["0 (none) 2", "24 (none) 1"]);
    deepEqual(await summary({ bucket: "day" }), before);
    deepEqual(brief(month, await summary({ groupBy: "end_user" })), ["0 (none) 3"]);
  },
};
