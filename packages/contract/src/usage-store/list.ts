import { deepEqual, equal, rejects } from "node:assert/strict";
import type { UsagePosition, UsageRow } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { dayMs, type UsageContext } from "./context.ts";

/** Reads all pages and returns the ids of each. */
async function readPages({ store, account }: UsageContext, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let before: UsagePosition | undefined, first = true; first || before !== undefined; first = false) {
    const page = await store.list({ filter: { account }, limit, ...(before === undefined ? {} : { before }) });
    pages.push(page.rows.map(({ id }) => id));
    before = page.next;
  }
  return pages;
}

const newestFirst = (rows: readonly UsageRow[]): string[] =>
  [...rows].sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

/** The cases of `list`. */
export const listCases: Cases<UsageContext> = {
  "an account without requests has one empty page": async ({ store, account }) => {
    deepEqual(await store.list({ filter: { account }, limit: 5 }), { rows: [] });
  },
  "pages are from the newest, complete, without gaps or duplicates": async (context) => {
    const rows = [5, 3, 4, 1, 2, 60 * 86_400].map((seconds) => context.row(seconds * 1_000));
    await context.store.record(rows);
    const pages = await readPages(context, 4);
    deepEqual(pages.flat(), newestFirst(rows));
    deepEqual(
      pages.map((page) => page.length),
      [4, 2],
    );
  },
  "rows of the same time are in the order of their ids": async (context) => {
    const rows = Array.from({ length: 9 }, () => context.row(7));
    await context.store.record(rows);
    deepEqual((await readPages(context, 2)).flat(), newestFirst(rows));
  },
  "a page that ends with the last row has no next page": async (context) => {
    await context.store.record([context.row(0), context.row(1)]);
    equal((await readPages(context, 2)).length, 1);
  },
  "a position whose row does not exist is valid": async ({ store, account, row }) => {
    const rows = [row(0), row(10)];
    await store.record(rows);
    const before = { at: row(5).at, id: "gone" };
    deepEqual(await store.list({ filter: { account }, limit: 5, before }), { rows: [rows[0]] });
  },
  "rows that are added during paging are not on later pages": async ({ store, account, row }) => {
    const rows = [row(0), row(10)];
    await store.record(rows);
    const { next } = await store.list({ filter: { account }, limit: 1 });
    await store.record([row(20)]);
    deepEqual(await store.list({ filter: { account }, limit: 5, ...(next && { before: next }) }), { rows: [rows[0]] });
  },
  "the start of a range is included and its end is not": async ({ store, account, row }) => {
    const rows = [row(0), row(dayMs), row(2 * dayMs)] as const;
    await store.record(rows);
    const filter = { account };
    const [from, to] = [rows[1].at, rows[2].at];
    deepEqual(await store.list({ filter, from, to, limit: 5 }), { rows: [rows[1]] });
    deepEqual(await store.list({ filter, to: from, limit: 5 }), { rows: [rows[0]] });
    deepEqual(await store.list({ filter, from: to, limit: 5 }), { rows: [rows[2]] });
  },
  "the newest of several rows with an id of an account is the first": async ({ store, account, row }) => {
    const ids = { requestId: `chosen ${account}`, answerId: `chatcmpl-${account}` };
    const rows = [row(5, ids), row(0, ids), row(9, { ...ids, account: `${account}-b` })] as const;
    await store.record(rows);
    for (const filter of [{ requestId: ids.requestId }, { answerId: ids.answerId }]) {
      const { rows: found } = await store.list({ filter: { ...filter, account }, limit: 1 });
      deepEqual(found, [rows[0]]);
      deepEqual((await store.list({ filter, limit: 1 })).rows, [rows[2]]);
      deepEqual((await store.list({ filter: { ...filter, account: "" }, limit: 1 })).rows, []);
    }
  },
  "a limit of less than one is refused": async ({ store }) => {
    for (const limit of [0, -1, 1.5, Number.NaN]) await rejects(async () => await store.list({ limit }), RangeError);
  },
};
