import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";

const most = 5;

const activeKeys = async ({ store, account }: KeyContext): Promise<number> =>
  (await store.list({ account, state: "active", limit: 100 })).keys.length;

/** The cases of `createWithin`. */
export const createWithinCases: Cases<KeyContext> = {
  "of 40 calls in parallel, as many create a key as there is room for": async (context) => {
    const { account } = context;
    const calls = await callConcurrently(context, 40, (client) =>
      client.createWithin({ account, plan: "basic", name: "mine" }, most),
    );
    const created = calls.filter((issued) => issued !== undefined);
    equal(created.length, most);
    equal(await activeKeys(context), most);
    for (const { key, secret } of created) deepEqual(await context.peer.find(secret), key);
  },
  "revoked and expired keys, and those of other plans and accounts, leave room": async (context) => {
    const { store, account, issue } = context;
    await store.revoke((await issue()).key.id);
    await issue({ expiresAt: new Date(Date.now() - 1_000) });
    await issue({ plan: "other" });
    await issue({ account: `${account}-other` });
    const wanted = { account, plan: "basic" };
    equal((await store.createWithin(wanted, 1))?.key.plan, "basic");
    equal(await store.createWithin(wanted, 1), undefined);
  },
  "invalid members throw, and no key is created": async (context) => {
    const wanted = { account: context.account, plan: "basic", tags: [""] };
    await rejects(async () => context.store.createWithin(wanted, most), RangeError);
    equal(await activeKeys(context), 0);
  },
};
