import { deepEqual, equal, rejects } from "node:assert/strict";
import type { ResponseInputPage, ResponseRef, ResponseStore } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { item, newId, type ResponseContext } from "./context.ts";

/** The cases of `input`. */
export const inputCases: Cases<ResponseContext> = {
  "pages in both orders are consecutive, without gaps or duplicates": async ({ save, store }) => {
    const input = Array.from({ length: 23 }, (_, at) => item(`${at}`));
    const saved = await save({ input });
    for (const order of ["asc", "desc"] as const) {
      const expected = order === "asc" ? input : [...input].reverse();
      for (const limit of [1, 5, 22, 23, 24]) {
        deepEqual(await allPages(store, saved, { order, limit }), expected, `${order}, ${limit}`);
      }
    }
  },
  "`hasMore` is true exactly when items follow": async ({ save, store }) => {
    const input = ["a", "b", "c"].map((text) => item(text));
    const saved = await save({ input });
    const [first, second, third] = input;
    const pageOf = async (page: ResponseInputPage) => store.input(saved, page);
    deepEqual(await pageOf({ limit: 2, order: "asc" }), { items: [first, second], hasMore: true });
    deepEqual(await pageOf({ limit: 3, order: "asc" }), { items: input, hasMore: false });
    deepEqual(await pageOf({ limit: 1, order: "asc", after: String(second?.id) }), { items: [third], hasMore: false });
    deepEqual(await pageOf({ limit: 1, order: "desc", after: String(third?.id) }), { items: [second], hasMore: true });
    deepEqual(await pageOf({ limit: 1, order: "asc", after: String(third?.id) }), { items: [], hasMore: false });
  },
  "items of the output and of earlier responses are not listed": async ({ save, store }) => {
    const first = await save();
    const input = [item("mine")];
    const saved = await save({ previousId: first.id, input });
    deepEqual(await store.input(saved, { limit: 10, order: "asc" }), { items: input, hasMore: false });
  },
  "`after` must be an input item of the same response": async ({ save, store }) => {
    const other = await save();
    const saved = await save();
    for (const after of [other.input[0]?.id, saved.output[0]?.id, "msg_unknown", "", "\0"]) {
      equal(await store.input(saved, { limit: 10, order: "asc", after: String(after) }), undefined);
    }
  },
  "the input of an unknown response is undefined": async ({ account, store }) => {
    equal(await store.input({ id: newId("resp"), account }, { limit: 10, order: "asc" }), undefined);
    equal(await store.input({ id: "\0", account }, { limit: 10, order: "asc" }), undefined);
  },
  "a page stays within its limit of bytes, and the next one continues": async ({ save, store }) => {
    const input = [1_000, 1_000, 1_000, 9_000, 10, 10].map((length) => item("é".repeat(length / 2)));
    const saved = await save({ input });
    const pages = async (order: "asc" | "desc") => {
      const sizes: number[] = [];
      deepEqual(
        await allPages(store, saved, { order, limit: 4, maxBytes: 2_500 }, (size) => sizes.push(size)),
        order === "asc" ? input : [...input].reverse(),
      );
      return sizes;
    };
    // The item of 9,000 bytes is larger than the limit, so it is alone on its page.
    deepEqual(await pages("asc"), [2, 1, 1, 2]);
    deepEqual(await pages("desc"), [2, 1, 2, 1]);
    equal((await store.input(saved, { limit: 4, maxBytes: 1_000_000, order: "asc" }))?.items.length, 4);
  },
  "the same item can be in several responses": async ({ save, store }) => {
    const shared = item("shared");
    for (const saved of [await save({ input: [shared] }), await save({ input: [item("x"), shared] })]) {
      deepEqual((await store.input(saved, { limit: 1, order: "desc" }))?.items, [shared]);
    }
  },
  "a limit that is not a positive whole number throws": async ({ save, store }) => {
    const saved = await save();
    for (const limit of [0, -1, 1.5]) await rejects(async () => store.input(saved, { limit, order: "asc" }));
  },
};

async function allPages(
  store: ResponseStore,
  ref: ResponseRef,
  page: ResponseInputPage,
  onPage: (size: number) => void = () => undefined,
) {
  const all = [];
  for (let after: string | undefined, pages = 0; pages < 100; pages++) {
    const next = await store.input(ref, after === undefined ? page : { ...page, after });
    if (next === undefined) throw new Error("The response must be known.");
    all.push(...next.items);
    onPage(next.items.length);
    if (!next.hasMore || next.items.length === 0) return all;
    after = next.items.at(-1)?.id;
  }
  throw new Error("The last page was not reached after 100 pages.");
}
