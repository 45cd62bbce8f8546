import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { bytesOf, item, longest, newResponse, type ResponseContext } from "./context.ts";

/** The cases of concurrent calls. */
export const raceCases: Cases<ResponseContext> = {
  "a conversation beside a deletion has all items or is unknown": async (context) => {
    const { peer, save, store } = context;
    for (let round = 0; round < 10; round++) {
      const input = Array.from({ length: 20 }, (_, at) => item(`${at}`));
      const first = await save({ input });
      const last = await save({ previousId: first.id });
      const all = [...first.input, ...first.output, ...last.input, ...last.output];
      const [conversations] = await Promise.all([
        callConcurrently(context, 20, (client) => client.conversation(last, longest)),
        Promise.resolve().then(() => (round % 2 === 0 ? store : peer).delete(first)),
      ]);
      for (const conversation of conversations) {
        if (conversation.outcome === "found") deepEqual(conversation.items, all);
        else equal(conversation.outcome, "unknown");
      }
      deepEqual(await store.conversation(last, longest), { outcome: "unknown" });
    }
  },
  "a page beside a deletion has its items or is undefined": async (context) => {
    for (let round = 0; round < 10; round++) {
      const saved = await context.save({ input: Array.from({ length: 20 }, (_, at) => item(`${at}`)) });
      const [pages] = await Promise.all([
        callConcurrently(context, 20, (client) => client.input(saved, { limit: 50, order: "asc" })),
        Promise.resolve().then(() => context.peer.delete(saved)),
      ]);
      for (const page of pages) if (page !== undefined) deepEqual(page, { items: saved.input, hasMore: false });
      equal(await context.store.find(saved), undefined);
    }
  },
  "saves beside deletions and sweeps leave the bytes of what is stored": async (context) => {
    const { account, save, store, trySave } = context;
    const kept = await Promise.all(Array.from({ length: 5 }, () => save()));
    const deleted = await Promise.all(Array.from({ length: 10 }, () => save()));
    await Promise.all([
      callConcurrently(context, 20, (client, at) =>
        client.delete(deleted[at % deleted.length] ?? newResponse(account)),
      ),
      callConcurrently(context, 10, (client) => trySave({ ttlMs: 1 }, client)),
      callConcurrently(context, 4, (client) => client.expire()),
    ]);
    await context.wait(5);
    // A save that finds its account full may be refused while another one sweeps.
    await store.expire();
    const size = bytesOf(newResponse(account));
    const maxAccountBytes = kept.reduce((sum, each) => sum + bytesOf(each), 0) + 3 * size;
    const results = await callConcurrently(context, 20, (client) => trySave({ maxAccountBytes }, client));
    deepEqual(tally(results), { saved: 3, full: 17 });
    equal((await store.find(kept[0] ?? newResponse(account)))?.account, account);
  },
};
