import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { bytesOf, item, itemsOf, newResponse, type ResponseContext } from "./context.ts";

const full = { outcome: "full" } as const;

/** The cases of the limit of bytes of an account. */
export const limitCases: Cases<ResponseContext> = {
  "10 of 100 concurrent saves succeed when the bytes suffice for 10": async (context) => {
    const size = bytesOf(newResponse(context.account));
    const given = { maxAccountBytes: 10 * size };
    const results = await callConcurrently(context, 100, (client) => context.trySave(given, client));
    deepEqual(tally(results), { saved: 10, full: 90 });
    deepEqual(await context.trySave(given), full);
    equal((await context.trySave({ maxAccountBytes: 11 * size })).outcome, "saved");
  },
  "a refused response is not stored": async ({ account, store }) => {
    const refused = newResponse(account);
    deepEqual(await store.save({ ...refused, maxAccountBytes: bytesOf(refused) - 1 }), full);
    equal(await store.find(refused), undefined);
    deepEqual(await itemsOf(store, account, [String(refused.input[0]?.id)]), []);
  },
  "the response, its input and its output are counted in UTF-8": async ({ account, store, trySave }) => {
    const text = "é".repeat(10_000);
    const parts = [{ response: `"${text}"` }, { input: [item(text)] }, { output: [item("a"), item(text)] }];
    for (const [at, part] of parts.entries()) {
      const filling = newResponse(account, part);
      await store.save(filling);
      const next = newResponse(account);
      const maxAccountBytes = bytesOf(filling) + bytesOf(next);
      deepEqual(await trySave({ ...next, maxAccountBytes: maxAccountBytes - 1 }), full, `filled by ${at}`);
      equal((await trySave({ ...next, maxAccountBytes })).outcome, "saved", `filled by ${at}`);
      equal(await store.delete(filling), true);
      equal(await store.delete(next), true);
    }
  },
  "deleted responses leave no bytes behind": async ({ save, store, trySave }) => {
    for (let round = 0; round < 5; round++) await store.delete(await save());
    const size = bytesOf(newResponse("a"));
    equal((await trySave({ maxAccountBytes: size })).outcome, "saved");
    deepEqual(await trySave({ maxAccountBytes: size }), full);
  },
  "concurrent saves with one id are counted once": async (context) => {
    const response = newResponse(context.account);
    await callConcurrently(context, 20, (client) => context.trySave(response, client));
    const maxAccountBytes = 2 * bytesOf(response);
    equal((await context.trySave({ maxAccountBytes })).outcome, "saved");
    deepEqual(await context.trySave({ maxAccountBytes }), full);
  },
  "accounts have separate limits": async ({ account, save, trySave }) => {
    const { maxAccountBytes } = { maxAccountBytes: bytesOf(await save()) };
    deepEqual(await trySave({ maxAccountBytes }), full);
    equal((await trySave({ account: `${account}-other`, maxAccountBytes })).outcome, "saved");
  },
  "expired responses are not counted, before and after a sweep": async (context) => {
    const { save, store, trySave, until } = context;
    const maxAccountBytes = 2 * bytesOf(newResponse("a"));
    for (const sweep of [false, true]) {
      const brief = [await save({ ttlMs: 30 }), await save({ ttlMs: 30 })];
      for (const ref of brief) await until(async () => (await store.find(ref)) === undefined);
      if (sweep) for (let calls = 0; calls < 100 && (await store.expire()) > 0; calls++);
      const kept = [await save({ maxAccountBytes }), await save({ maxAccountBytes })];
      deepEqual(await trySave({ maxAccountBytes }), full);
      for (const ref of kept) await store.delete(ref);
    }
  },
};
