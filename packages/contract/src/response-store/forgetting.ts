import { deepEqual, equal } from "node:assert/strict";
import type { ResponseStore, StoredResponse } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { expectUnknown } from "./accounts.ts";
import type { ResponseContext } from "./context.ts";

/** Reads the pages of `list`, and returns the ids. */
async function idsOf(store: ResponseStore, account: string, limit: number): Promise<readonly string[]> {
  const found: StoredResponse[] = [];
  let after: string | undefined;
  do {
    const page = await store.list({ account, limit, ...(after === undefined ? {} : { after }) });
    equal(page.responses.length <= limit, true, "A page must not exceed its limit.");
    found.push(...page.responses);
    after = page.next;
  } while (after !== undefined);
  return found.map(({ id }) => id);
}

/** The cases of `list` and `forget`. */
export const forgettingCases: Cases<ResponseContext> = {
  "the responses of an account are listed in the order of their ids, in pages": async (context) => {
    const { account, save, peer } = context;
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push((await save()).id);
    await save({ account: `${account}-b` });
    deepEqual(await idsOf(peer, account, 2), ids.toSorted());
    deepEqual(await peer.list({ account: "nobody", limit: 2 }), { responses: [] });
  },
  "a listed response is as it is found": async ({ account, save, store }) => {
    const first = await save();
    const { id } = await save({ id: `${first.id}-2`, previousId: first.id });
    const { responses } = await store.list({ account, limit: 10, after: first.id });
    deepEqual(responses, [await store.find({ id, account })]);
  },
  "expired and deleted responses are not listed": async ({ account, save, store, until }) => {
    const [kept, deleted, ended] = [await save(), await save(), await save({ ttlMs: 30 })];
    await store.delete(deleted);
    await until(async () => (await store.find(ended)) === undefined);
    deepEqual(await idsOf(store, account, 10), [kept.id]);
  },
  "all responses of an account are forgotten, and those of others are kept": async (context) => {
    const { account, save, store, peer } = context;
    const [first, second] = [await save(), await save({ ttlMs: 1 })];
    const other = await save({ account: `${account}-b` });
    equal(await store.forget(account), 2);
    equal(await store.forget(account), 0);
    await expectUnknown({ ...context, store: peer }, first);
    equal(await peer.find(second), undefined);
    equal((await peer.find(other))?.id, other.id);
  },
  "a forgotten account has room again": async ({ account, save, trySave, store }) => {
    await save();
    equal((await trySave({ maxAccountBytes: 200 })).outcome, "full");
    await store.forget(account);
    equal((await trySave({ maxAccountBytes: 400 })).outcome, "saved");
  },
};
