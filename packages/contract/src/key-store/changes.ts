import { deepEqual, equal, notEqual } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";

/** The cases of `revoke` and `onChange`. */
export const changeCases: Cases<KeyContext> = {
  "find returns a revoked key with its date": async ({ store, peer, issue }) => {
    const { key, secret } = await issue();
    const revoked = await store.revoke(key.id);
    equal(Math.abs(Date.now() - (revoked?.revokedAt?.getTime() ?? 0)) < 60_000, true);
    deepEqual(revoked, { ...key, revokedAt: revoked?.revokedAt });
    deepEqual(await peer.find(secret), revoked);
  },
  "a repeated revocation keeps the first date": async ({ store, wait, issue }) => {
    const { key } = await issue();
    const first = await store.revoke(key.id);
    await wait(15);
    deepEqual(await store.revoke(key.id), first);
  },
  "ten parallel revocations have one date": async (context) => {
    const { key } = await context.issue();
    const results = await callConcurrently(context, 10, (client) => client.revoke(key.id));
    equal(new Set(results.map((each) => each?.revokedAt?.getTime())).size, 1);
  },
  "revoking one key does not affect others": async ({ store, issue }) => {
    const [one, other] = [await issue(), await issue()];
    await store.revoke(one.key.id);
    deepEqual(await store.find(other.secret), other.key);
  },
  "revoking an unknown key returns undefined": async ({ store }) => {
    equal(await store.revoke(crypto.randomUUID()), undefined);
  },
  "listeners are notified of every change before the call returns, until they unsubscribe": async ({
    store,
    issue,
  }) => {
    const reported: (string | undefined)[] = [];
    const unsubscribe = store.onChange((keyId) => reported.push(keyId));
    const wasReported = (keyId: string) => reported.splice(0).some((each) => each === keyId || each === undefined);
    const { key } = await issue();
    reported.length = 0;
    const next = await store.rotate(key.id, { graceMs: 60_000 });
    equal(wasReported(key.id), true, "A rotation must be reported for the old key.");
    await store.revoke(key.id);
    equal(wasReported(key.id), true, "A revocation must be reported.");
    unsubscribe();
    reported.length = 0;
    await store.revoke(next?.key.id ?? "");
    deepEqual(reported, []);
  },
  "a listener that is added twice is removed twice": async ({ store, issue }) => {
    const { key } = await issue();
    let calls = 0;
    const listener = () => void calls++;
    const unsubscribes = [store.onChange(listener), store.onChange(listener)];
    unsubscribes[0]?.();
    unsubscribes[0]?.();
    await store.revoke(key.id);
    equal(calls >= 1, true);
    unsubscribes[1]?.();
  },
};

/** The cases of `rotate`. */
export const rotationCases: Cases<KeyContext> = {
  "the new key is valid immediately and has the permissions of the old one": async ({ store, peer, issue }) => {
    const restrictions = {
      name: "mine",
      models: ["a"],
      features: ["tools"],
      dialects: ["chat", "embeddings"],
      scopes: ["inference"],
      limits: { concurrency: 2 },
      spend: { limit: 9_007_199_254_740_993n, window: "day", timezone: "Europe/Berlin" },
      tags: ["a"],
      logContent: true,
    } as const;
    const old = await issue(restrictions);
    const next = await store.rotate(old.key.id, { graceMs: 60_000 });
    const { id, createdAt, lastFour, rotatedFrom, limitsId, ...rest } = { ...(await peer.find(next?.secret ?? "")) };
    deepEqual(rest, { account: old.key.account, plan: old.key.plan, ...restrictions });
    deepEqual([id, lastFour], [next?.key.id, next?.secret.slice(-4)]);
    deepEqual([rotatedFrom, limitsId], [old.key.id, old.key.id]);
    notEqual(id, old.key.id);
    notEqual(next?.secret, old.secret);
    equal((createdAt?.getTime() ?? 0) >= old.key.createdAt.getTime(), true);
  },
  "every key of a chain has the counters of the first one": async ({ store, peer, issue }) => {
    const first = await issue();
    equal(first.key.limitsId, undefined);
    const second = await store.rotate(first.key.id, { graceMs: 60_000 });
    const third = await store.rotate(second?.key.id ?? "", { graceMs: 60_000 });
    deepEqual([second?.key.limitsId, third?.key.limitsId], [first.key.id, first.key.id]);
    const found = await peer.find(third?.secret ?? "");
    deepEqual([found?.rotatedFrom, found?.limitsId], [second?.key.id, first.key.id]);
    await store.update(third?.key.id ?? "", { name: "mine" });
    equal((await store.get(third?.key.id ?? ""))?.limitsId, first.key.id);
  },
  "the new key has the changes of an update": async ({ store, issue }) => {
    const { key } = await issue({ tags: ["old"] });
    await store.update(key.id, { tags: ["new"], name: "mine" });
    const next = await store.rotate(key.id, { graceMs: 60_000 });
    deepEqual([next?.key.tags, next?.key.name], [["new"], "mine"]);
  },
  "the old key expires at the end of the grace period": async ({ store, issue }) => {
    const { key, secret } = await issue();
    const before = Date.now();
    await store.rotate(key.id, { graceMs: 3_600_000 });
    const end = (await store.find(secret))?.expiresAt?.getTime() ?? 0;
    equal(Math.abs(end - (before + 3_600_000)) < 60_000, true);
  },
  "without a grace period, the old key has ended when the call returns": async ({ store, issue }) => {
    const { key, secret } = await issue();
    const next = await store.rotate(key.id, { graceMs: 0 });
    const old = await store.find(secret);
    equal((old?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) <= (next?.key.createdAt.getTime() ?? 0) + 5, true);
    equal(old?.revokedAt, undefined);
    equal(await store.rotate(key.id, { graceMs: 0 }), undefined);
  },
  "a grace period never extends the expiry": async ({ store, issue }) => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { key, secret } = await issue({ expiresAt });
    const next = await store.rotate(key.id, { graceMs: 86_400_000 });
    deepEqual((await store.find(secret))?.expiresAt, expiresAt);
    deepEqual(next?.key.expiresAt, expiresAt, "The new key must have the expiry of the old one.");
  },
  "a key can be rotated again within its grace period": async ({ store, issue }) => {
    const { key } = await issue();
    const [one, other] = [
      await store.rotate(key.id, { graceMs: 60_000 }),
      await store.rotate(key.id, { graceMs: 60_000 }),
    ];
    notEqual(one?.key.id, other?.key.id);
    equal(other?.key.rotatedFrom, key.id);
  },
  "rotating an ended or unknown key returns undefined": async ({ store, issue }) => {
    const revoked = await issue();
    await store.revoke(revoked.key.id);
    const expired = await issue({ expiresAt: new Date(Date.now() - 120_000) });
    for (const id of [revoked.key.id, expired.key.id, crypto.randomUUID()]) {
      equal(await store.rotate(id, { graceMs: 60_000 }), undefined);
    }
  },
};
