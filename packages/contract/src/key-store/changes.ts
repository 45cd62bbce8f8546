import { deepEqual, equal, notEqual } from "node:assert/strict";
import { crowd } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";

/** What holds of `revoke` and `onChange`. */
export const changeCases: Cases<KeyContext> = {
  "a revoked key is found with its date": async ({ store, peer, issue }) => {
    const { key, secret } = await issue();
    const revoked = await store.revoke(key.id);
    equal(Math.abs(Date.now() - (revoked?.revokedAt?.getTime() ?? 0)) < 60_000, true);
    deepEqual(revoked, { ...key, revokedAt: revoked?.revokedAt });
    deepEqual(await peer.find(secret), revoked);
  },
  "revoking again keeps the first date": async ({ store, wait, issue }) => {
    const { key } = await issue();
    const first = await store.revoke(key.id);
    await wait(15);
    deepEqual(await store.revoke(key.id), first);
  },
  "ten parallel revocations have one date": async (context) => {
    const { key } = await context.issue();
    const made = await crowd(context, 10, (client) => client.revoke(key.id));
    equal(new Set(made.map((each) => each?.revokedAt?.getTime())).size, 1);
  },
  "revoking one key leaves the others": async ({ store, issue }) => {
    const [one, other] = [await issue(), await issue()];
    await store.revoke(one.key.id);
    deepEqual(await store.find(other.secret), other.key);
  },
  "a key that does not exist cannot be revoked": async ({ store }) => {
    equal(await store.revoke(crypto.randomUUID()), undefined);
  },
  "listeners hear of every change before the call answers, until they end": async ({ store, issue }) => {
    const heard: (string | undefined)[] = [];
    const end = store.onChange((keyId) => heard.push(keyId));
    const hears = (keyId: string) => heard.splice(0).some((each) => each === keyId || each === undefined);
    const { key } = await issue();
    heard.length = 0;
    const next = await store.rotate(key.id, { graceMs: 60_000 });
    equal(hears(key.id), true, "a rotation must be told for the old key");
    await store.revoke(key.id);
    equal(hears(key.id), true, "a revocation must be told");
    end();
    heard.length = 0;
    await store.revoke(next?.key.id ?? "");
    deepEqual(heard, []);
  },
  "one function listens twice and ends once each": async ({ store, issue }) => {
    const { key } = await issue();
    let calls = 0;
    const listener = () => void calls++;
    const ends = [store.onChange(listener), store.onChange(listener)];
    ends[0]?.();
    ends[0]?.();
    await store.revoke(key.id);
    equal(calls >= 1, true);
    ends[1]?.();
  },
};

/** What holds of `rotate`. */
export const rotationCases: Cases<KeyContext> = {
  "the new key works at once and has the rights of the old": async ({ store, peer, issue }) => {
    const rights = { name: "mine", models: ["a"], features: ["tools"], limits: { concurrency: 2 } } as const;
    const old = await issue(rights);
    const next = await store.rotate(old.key.id, { graceMs: 60_000 });
    const { id, createdAt, lastFour, rotatedFrom, ...kept } = { ...(await peer.find(next?.secret ?? "")) };
    deepEqual(kept, { account: old.key.account, plan: old.key.plan, ...rights });
    deepEqual([id, lastFour, rotatedFrom], [next?.key.id, next?.secret.slice(-4), old.key.id]);
    notEqual(id, old.key.id);
    notEqual(next?.secret, old.secret);
    equal((createdAt?.getTime() ?? 0) >= old.key.createdAt.getTime(), true);
  },
  "the old key ends when its grace is over": async ({ store, issue }) => {
    const { key, secret } = await issue();
    const before = Date.now();
    await store.rotate(key.id, { graceMs: 3_600_000 });
    const end = (await store.find(secret))?.expiresAt?.getTime() ?? 0;
    equal(Math.abs(end - (before + 3_600_000)) < 60_000, true);
  },
  "without grace the old key has ended when the call answers": async ({ store, issue }) => {
    const { key, secret } = await issue();
    const next = await store.rotate(key.id, { graceMs: 0 });
    const old = await store.find(secret);
    equal((old?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) <= (next?.key.createdAt.getTime() ?? 0) + 5, true);
    equal(old?.revokedAt, undefined);
    equal(await store.rotate(key.id, { graceMs: 0 }), undefined);
  },
  "grace never lengthens a life": async ({ store, issue }) => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { key, secret } = await issue({ expiresAt });
    const next = await store.rotate(key.id, { graceMs: 86_400_000 });
    deepEqual((await store.find(secret))?.expiresAt, expiresAt);
    deepEqual(next?.key.expiresAt, expiresAt, "the new key must not outlive what the old one was allowed");
  },
  "a key within its grace can be rotated again": async ({ store, issue }) => {
    const { key } = await issue();
    const [one, other] = [
      await store.rotate(key.id, { graceMs: 60_000 }),
      await store.rotate(key.id, { graceMs: 60_000 }),
    ];
    notEqual(one?.key.id, other?.key.id);
    equal(other?.key.rotatedFrom, key.id);
  },
  "a key that has ended or never was cannot be rotated": async ({ store, issue }) => {
    const revoked = await issue();
    await store.revoke(revoked.key.id);
    const expired = await issue({ expiresAt: new Date(Date.now() - 120_000) });
    for (const id of [revoked.key.id, expired.key.id, crypto.randomUUID()]) {
      equal(await store.rotate(id, { graceMs: 60_000 }), undefined);
    }
  },
};
