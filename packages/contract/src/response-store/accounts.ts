import { deepEqual, equal } from "node:assert/strict";
import type { ResponseRef } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { itemsOf, longest, newResponse, type ResponseContext } from "./context.ts";

/** The cases of access with another account. */
export const accountCases: Cases<ResponseContext> = {
  "a response of another account is unknown to every method": async ({ account, save, store }) => {
    const saved = await save();
    const before = await store.find(saved);
    const other = { id: saved.id, account: `${account}-other` };
    await expectUnknown({ store }, other);
    deepEqual(await itemsOf(store, other.account, [String(saved.input[0]?.id), String(saved.output[0]?.id)]), []);
    deepEqual(await store.find(saved), before);
  },
  "an item with the id of another account's item stays apart": async ({ account, save, store }) => {
    const mine = await save();
    const [taken] = mine.input;
    const theirs = { id: String(taken?.id), json: '"theirs"' };
    const other = await save({ account: `${account}-other`, input: [theirs] });
    deepEqual(await itemsOf(store, account, [theirs.id]), mine.input);
    deepEqual(await itemsOf(store, other.account, [theirs.id]), [theirs]);
  },
  "a response cannot continue one of another account": async ({ account, save, store }) => {
    const mine = await save();
    const other = await save({ account: `${account}-other`, previousId: mine.id });
    deepEqual(await store.conversation(other, longest), { outcome: "unknown" });
  },
  "account names are compared exactly": async ({ save, store }) => {
    const { id, account } = await save();
    for (const other of [account.toUpperCase(), `${account} `, ` ${account}`, "", "%", account.slice(0, -1)]) {
      equal(await store.find({ id, account: other }), undefined, JSON.stringify(other));
    }
  },
  "unusual names of accounts are stored unchanged": async ({ account, peer, save }) => {
    for (const name of ["it's", '"quoted"', "日本 🙂", "a\\b", "$1", "__proto__", "constructor", "x".repeat(200)]) {
      const saved = await save({ account: `${name}${account}` });
      equal((await peer.find(saved))?.account, saved.account);
    }
  },
  "an account of which nothing is stored has no items": async ({ account, store }) => {
    const { id } = newResponse(account);
    for (const none of [`${account}-none`, "", "\0"]) deepEqual(await itemsOf(store, none, [id]), []);
  },
};

/** Fails unless every method reports that the response does not exist. */
export async function expectUnknown({ store }: Pick<ResponseContext, "store">, ref: ResponseRef): Promise<void> {
  equal(await store.find(ref), undefined);
  deepEqual(await store.conversation(ref, longest), { outcome: "unknown" });
  equal(await store.input(ref, { limit: 10, order: "asc" }), undefined);
  equal(await store.delete(ref), false);
}
