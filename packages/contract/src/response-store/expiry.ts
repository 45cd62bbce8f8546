import { deepEqual, equal } from "node:assert/strict";
import type { ResponseRef } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import { retryWithMoreTime } from "../retry-with-more-time.ts";
import type { Cases } from "../suite.ts";
import { expectUnknown } from "./accounts.ts";
import { found, item, itemsOf, longest, newId, type ResponseContext } from "./context.ts";

/** The cases of the lifetime of a response and of `expire`. */
export const expiryCases: Cases<ResponseContext> = {
  "an expired response is unknown to every method, even before a sweep": async (context) => {
    const saved = await context.save({ ttlMs: 30 });
    await expired(context, saved);
    await expectUnknown(context, saved);
    deepEqual(await itemsOf(context.store, saved.account, [String(saved.input[0]?.id)]), []);
  },
  "an expired ancestor makes a conversation unknown": async (context) => {
    const brief = await context.save({ ttlMs: 30 });
    const last = await context.save({ previousId: brief.id });
    await expired(context, brief);
    deepEqual(await context.store.conversation(last, longest), { outcome: "unknown" });
  },
  "an item of an expired response is found in an older one": async (context) => {
    const id = newId("msg");
    const kept = await context.save({ input: [item("kept", id)] });
    await expired(context, await context.save({ ttlMs: 30, input: [item("expired", id)] }));
    deepEqual(await itemsOf(context.store, kept.account, [id]), kept.input);
  },
  "reading does not extend the lifetime": async (context) =>
    retryWithMoreTime(async (unitMs) => {
      const { save, store, wait } = context;
      const saved = await save({ ttlMs: 4 * unitMs });
      await wait(2 * unitMs);
      found(await store.conversation(saved, longest));
      equal((await store.find(saved))?.id, saved.id);
      await wait(3 * unitMs);
      equal(await store.find(saved), undefined);
    }),
  "a sweep removes expired responses and returns how many": async (context) => {
    await sweep(context);
    const kept = await context.save();
    const before = await context.store.find(kept);
    const ended = await Promise.all(Array.from({ length: 5 }, () => context.save({ ttlMs: 30 })));
    for (const ref of ended) await expired(context, ref);
    equal(await sweep(context), 5);
    equal(await sweep(context), 0);
    deepEqual(await context.store.find(kept), before);
    deepEqual(found(await context.store.conversation(kept, longest)), [...kept.input, ...kept.output]);
  },
  "a sweep removes the items": async (context) => {
    const brief = await context.save({ ttlMs: 30 });
    await expired(context, brief);
    await sweep(context);
    // Hosts do not reuse ids. Here, reuse shows whether anything is left.
    const again = await context.save({ id: brief.id, input: [], output: [] });
    deepEqual(found(await context.store.conversation(again, longest)), []);
  },
  "concurrent sweeps remove each response once": async (context) => {
    await sweep(context);
    const ended = await Promise.all(Array.from({ length: 30 }, () => context.save({ ttlMs: 30 })));
    for (const ref of ended) await expired(context, ref);
    const counts = await callConcurrently(context, 10, (client) => client.expire());
    const rest = await sweep(context);
    equal(
      counts.reduce((sum, count) => sum + count, rest),
      30,
    );
  },
};

async function expired({ store, until }: ResponseContext, ref: ResponseRef): Promise<void> {
  await until(async () => (await store.find(ref)) === undefined);
}

/** Calls `expire` until it returns 0, and returns the sum. */
async function sweep({ store }: ResponseContext): Promise<number> {
  let sum = 0;
  for (let calls = 0; calls < 100; calls++) {
    const count = await store.expire();
    if (count === 0) return sum;
    sum += count;
  }
  throw new Error("100 sweeps have not removed all expired responses.");
}
