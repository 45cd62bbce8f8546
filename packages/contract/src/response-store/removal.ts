import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { expectUnknown } from "./accounts.ts";
import { found, item, itemsOf, longest, type ResponseContext } from "./context.ts";

/** The cases of `delete`. */
export const removalCases: Cases<ResponseContext> = {
  "a deleted response is unknown to every method": async (context) => {
    const saved = await context.save();
    equal(await context.peer.delete(saved), true);
    await expectUnknown(context, saved);
    deepEqual(await itemsOf(context.store, saved.account, [String(saved.input[0]?.id)]), []);
  },
  "deleting an unknown response returns false": async ({ account, store }) => {
    for (const id of ["resp_unknown", "", "\0"]) equal(await store.delete({ id, account }), false);
  },
  "a deletion removes the items": async ({ save, store }) => {
    const { id } = await save({ input: [item("gone")], output: [item("gone")] });
    const first = await save({ id: `${id}-2` });
    await store.delete(first);
    // Hosts do not reuse ids. Here, reuse shows whether anything is left.
    const again = await save({ id: first.id, input: [item("new")], output: [] });
    deepEqual(found(await store.conversation(again, longest)), again.input);
  },
  "a deletion keeps the other responses of the account": async ({ save, store }) => {
    const [gone, kept] = [await save(), await save()];
    await store.delete(gone);
    deepEqual(found(await store.conversation(kept, longest)), [...kept.input, ...kept.output]);
    deepEqual(await itemsOf(store, kept.account, [String(kept.input[0]?.id)]), kept.input);
  },
  "one of 20 concurrent deletions succeeds": async (context) => {
    const saved = await context.save();
    const results = await callConcurrently(context, 20, (client) => client.delete(saved));
    equal(results.filter(Boolean).length, 1);
  },
};
