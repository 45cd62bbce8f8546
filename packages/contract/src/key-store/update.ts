import { deepEqual, equal, rejects } from "node:assert/strict";
import type { KeyChanges } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";
import { invalidMembers } from "./invalid-members.ts";

const members = {
  name: "mine",
  models: ["a", "b"],
  features: ["tools"],
  dialects: ["messages"],
  scopes: ["account:read"],
  limits: { requests: { limit: 5 } },
  spend: { limit: 9_007_199_254_740_993n, window: "week", timezone: "Asia/Tokyo" },
  tags: ["one", "two"],
  logContent: true,
  expiresAt: new Date("2100-01-02T03:04:05.678Z"),
} as const;

const removals: KeyChanges = {
  name: null,
  models: null,
  features: null,
  dialects: null,
  scopes: null,
  limits: null,
  spend: null,
  tags: null,
  logContent: null,
  expiresAt: null,
};

/** The cases of `get` and `update`. */
export const updateCases: Cases<KeyContext> = {
  "get returns a key by its id, also one that has ended": async ({ store, peer, issue }) => {
    const { key } = await issue(members);
    deepEqual(await peer.get(key.id), key);
    const revoked = await store.revoke(key.id);
    deepEqual(await peer.get(key.id), revoked);
  },
  "get and update return undefined for an unknown id": async ({ store }) => {
    for (const id of [crypto.randomUUID(), "", "' or 1=1--", "a\0b", "\ud800"]) {
      equal(await store.get(id), undefined, JSON.stringify(id));
      equal(await store.update(id, { name: "x" }), undefined, JSON.stringify(id));
    }
  },
  "an update sets every member": async ({ store, peer, issue }) => {
    const { key, secret } = await issue();
    deepEqual(await store.update(key.id, members), { ...key, ...members });
    deepEqual(await peer.find(secret), { ...key, ...members });
  },
  "null removes a member, and an absent member stays": async ({ store, peer, issue }) => {
    const { key } = await issue(members);
    for (const name of Object.keys(members)) {
      const { [name]: removed, ...rest }: Record<string, unknown> = { ...(await store.get(key.id)) };
      equal(removed === undefined, false, name);
      deepEqual(await store.update(key.id, { [name]: null }), rest, name);
    }
    deepEqual(await store.update(key.id, members), key);
    const { account, plan, id, lastFour, createdAt } = key;
    deepEqual(await store.update(key.id, removals), { account, plan, id, lastFour, createdAt });
    deepEqual(Object.keys((await peer.get(key.id)) ?? {}).sort(), ["account", "createdAt", "id", "lastFour", "plan"]);
  },
  "an update without changes changes nothing": async ({ store, issue }) => {
    const { key } = await issue(members);
    deepEqual(await store.update(key.id, {}), key);
    deepEqual(await store.get(key.id), key);
  },
  "an update does not affect other keys": async ({ store, issue }) => {
    const [one, other] = [await issue(members), await issue(members)];
    await store.update(one.key.id, removals);
    deepEqual(await store.get(other.key.id), other.key);
  },
  "invalid members throw, and nothing is changed": async ({ store, issue }) => {
    const { key } = await issue(members);
    for (const invalid of invalidMembers) {
      const update = async () => store.update(key.id, { name: "changed", ...invalid });
      await rejects(update, RangeError, Object.keys(invalid).join());
    }
    deepEqual(await store.get(key.id), key);
  },
  "parallel updates of different members all take effect": async (context) => {
    const { key } = await context.issue();
    const changes = Object.entries(members).map(([name, value]): KeyChanges => ({ [name]: value }));
    await callConcurrently(context, changes.length, (client, index) => client.update(key.id, changes[index] ?? {}));
    deepEqual(await context.peer.get(key.id), { ...key, ...members });
  },
  "a later expiry makes an expired key valid again, and a revoked key stays revoked": async ({ store, issue }) => {
    const { key } = await issue({ expiresAt: new Date(Date.now() - 60_000) });
    const { expiresAt } = members;
    deepEqual(await store.update(key.id, { expiresAt }), { ...key, expiresAt });
    const revokedAt = (await store.revoke(key.id))?.revokedAt;
    deepEqual(await store.update(key.id, { expiresAt }), { ...key, expiresAt, revokedAt });
  },
  "listeners are notified of an update before the call returns": async ({ store, issue }) => {
    const { key } = await issue();
    const reported: (string | undefined)[] = [];
    const unsubscribe = store.onChange((keyId) => reported.push(keyId));
    await store.update(key.id, { logContent: true });
    unsubscribe();
    equal(
      reported.some((each) => each === key.id || each === undefined),
      true,
    );
  },
};
