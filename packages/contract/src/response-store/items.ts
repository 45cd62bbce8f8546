import { deepEqual, equal } from "node:assert/strict";
import type { ResponseItem } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { item, itemsOf, newId, type ResponseContext } from "./context.ts";

/** The cases of `items`. */
export const itemCases: Cases<ResponseContext> = {
  "items are found in the input and the output of several responses": async ({ account, peer, save }) => {
    const [one, other] = [await save(), await save()];
    const wanted = [...one.output, ...other.input, ...other.output];
    deepEqual(sorted(await itemsOf(peer, account, ids(wanted))), sorted(wanted));
  },
  "unknown ids are left out": async ({ account, save, store }) => {
    const { input } = await save();
    deepEqual(await itemsOf(store, account, [newId("msg"), ...ids(input), "", "\0", "\ud800", "__proto__"]), input);
    deepEqual(await itemsOf(store, account, [newId("msg")]), []);
    deepEqual(await itemsOf(store, account, []), []);
  },
  "an id that is asked for twice is returned once": async ({ account, save, store }) => {
    const { input } = await save();
    deepEqual(await itemsOf(store, account, [...ids(input), ...ids(input)]), input);
  },
  "an id of several responses is returned once, from the one that was stored last": async ({
    account,
    save,
    store,
  }) => {
    const id = newId("msg");
    for (const text of ["first", "second", "third"]) {
      await save({ input: [item(text, id)] });
      deepEqual(await itemsOf(store, account, [id]), [item(text, id)]);
      await save({ output: [item(`${text}, answered`, id)] });
      deepEqual(await itemsOf(store, account, [id]), [item(`${text}, answered`, id)]);
    }
  },
  "items of deleted responses are not found": async ({ account, save, store }) => {
    const id = newId("msg");
    const kept = await save({ input: [item("kept", id)] });
    const deleted = await save({ input: [item("deleted", id)] });
    await store.delete(deleted);
    deepEqual(await itemsOf(store, account, [id, ...ids(deleted.output)]), kept.input);
  },
  "items of more than `maxBytes` are too long, each counted once": async ({ account, save, store }) => {
    const input = [item("é".repeat(1_000)), item("b")];
    await save({ input });
    await save({ input });
    const size = input.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    equal((await store.items(account, [...ids(input), ...ids(input)], { maxBytes: size })).outcome, "found");
    deepEqual(await store.items(account, ids(input), { maxBytes: size - 1 }), { outcome: "too_long" });
  },
  "of items of more than `loadBytes` only the size is returned": async ({ account, save, store }) => {
    const { input } = await save({ input: [item("é".repeat(1_000)), item("b")] });
    const bytes = input.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    const sized = (maxBytes: number, loadBytes: number) => store.items(account, ids(input), { maxBytes, loadBytes });
    equal((await sized(bytes, bytes)).outcome, "found");
    deepEqual(await sized(bytes, bytes - 1), { outcome: "larger", bytes });
    deepEqual(await sized(bytes - 1, 1), { outcome: "too_long" });
  },
  "500 items are found at once": async ({ account, save, store }) => {
    const input = Array.from({ length: 500 }, (_, at) => item(`${at}`));
    await save({ input });
    deepEqual(sorted(await itemsOf(store, account, ids(input))), sorted(input));
  },
};

const ids = (items: readonly ResponseItem[]): string[] => items.map(({ id }) => id);

const sorted = (items: readonly ResponseItem[]): ResponseItem[] => [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
