import { deepEqual, equal, notEqual, rejects } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";
import { invalidMembers } from "./invalid-members.ts";

/** The cases of `create` and `find`. */
export const issueCases: Cases<KeyContext> = {
  "a key is found by its secret as soon as it is created": async ({ peer, account, issue }) => {
    const { key, secret } = await issue();
    deepEqual(await peer.find(secret), key);
    deepEqual([key.account, key.plan, key.lastFour], [account, "basic", secret.slice(-4)]);
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - key.createdAt.getTime()) < 60_000, true);
  },
  "a key has all the members it was created with": async ({ store, issue }) => {
    const attributes = {
      name: 'it\'s "mine" 日本',
      models: ["a/b", "c"],
      features: ["tools", "image_url"],
      dialects: ["responses", "messages"],
      scopes: ["account:read", "inference"],
      limits: { requests: { limit: 5, windowSeconds: 10 }, tokens: { limit: 1_000 }, concurrency: 2 },
      spend: { limit: 9_007_199_254_740_993n, window: "month", timezone: "Europe/Berlin" },
      tags: ["team:a", "it's", '"', "日本 🙂", "\\"],
      logContent: true,
      expiresAt: new Date(Date.now() + 86_400_000),
    } as const;
    const { key, secret } = await issue(attributes);
    deepEqual(await store.find(secret), { ...key, ...attributes });
  },
  "an empty list stays an empty list": async ({ store, issue }) => {
    const { secret } = await issue({ models: [], features: [], dialects: [], scopes: [], tags: [], logContent: false });
    const found = await store.find(secret);
    deepEqual([found?.models, found?.features, found?.dialects, found?.scopes], [[], [], [], []]);
    deepEqual([found?.tags, found?.logContent], [[], false]);
  },
  "members that were not set are absent": async ({ store, issue }) => {
    const { secret } = await issue();
    const found = await store.find(secret);
    deepEqual(Object.keys(found ?? {}).sort(), ["account", "createdAt", "id", "lastFour", "plan"]);
  },
  "find returns an expired key with its date": async ({ store, issue }) => {
    const expiresAt = new Date(Date.now() - 1_000);
    const { secret } = await issue({ expiresAt });
    deepEqual((await store.find(secret))?.expiresAt, expiresAt);
  },
  "invalid members throw, and no key is created": async ({ store, account, issue }) => {
    for (const members of invalidMembers) await rejects(issue(members), RangeError, Object.keys(members).join());
    deepEqual((await store.list({ account, limit: 10 })).keys, []);
  },
  "a key without an account or a plan, or with a misspelt member, throws with what to write": async ({ issue }) => {
    await rejects(issue({ account: "" }), { name: "RangeError", message: /`account` must be a string/ });
    await rejects(issue({ plan: "" }), { name: "RangeError", message: /`plan` must be a string/ });
    await rejects(issue(Object.assign({ tags: [] }, { expiresat: new Date() })), {
      message: /Did you mean expiresAt\?/,
    });
    const spend = Object.assign({ limit: 1n, window: "day" } as const, { limit: 5 });
    await rejects(issue(Object.assign({ tags: [] }, { spend })), {
      message: /parseAmount\("5\.00"\), not the number 5/,
    });
  },
  "a spend limit can be a decimal string": async ({ store, issue }) => {
    const { key } = await issue({ spend: { limit: "5.00", window: "total" } });
    deepEqual((await store.get(key.id))?.spend, { limit: 5_000_000_000n, window: "total" });
    const changed = await store.update(key.id, { spend: { limit: "0.000000001", window: "day" } });
    deepEqual(changed?.spend, { limit: 1n, window: "day" });
  },
  "a missing id throws": async ({ store }) => {
    const missing: string = JSON.parse("null");
    const named = { name: "RangeError", message: /`keyId` must be a string, not null/ };
    await rejects(async () => store.get(missing), named);
    await rejects(async () => store.revoke(missing), named);
    await rejects(async () => store.update(missing, {}), named);
    await rejects(async () => store.rotate(missing, { graceMs: 0 }), named);
  },
  "an unknown secret is not found": async ({ store, issue }) => {
    const { secret } = await issue();
    const last = secret.endsWith("0") ? "1" : "0";
    const unknownSecrets = [
      "x",
      "~".repeat(512),
      secret.slice(0, -1) + last,
      `${secret}0`,
      secret.slice(0, -1),
      "' or 1=1--",
    ];
    for (const unknown of unknownSecrets) equal(await store.find(unknown), undefined, unknown);
  },
  "secrets are case-sensitive": async ({ store, issue }) => {
    const { secret } = await issue();
    equal(await store.find(secret.toUpperCase()), undefined);
    equal(await store.find(secret.toLowerCase()), undefined);
  },
  "the store never returns the secret again": async ({ store, account, issue }) => {
    const { key, secret } = await issue({ name: "mine" });
    const returned = JSON.stringify([key, await store.find(secret), await store.list({ account, limit: 10 })]);
    equal(returned.includes(secret.slice(0, -4)), false);
  },
  "20 keys created in parallel are distinct": async (context) => {
    const made = await callConcurrently(context, 20, (client) =>
      client.create({ account: context.account, plan: "basic" }),
    );
    equal(new Set(made.map(({ secret }) => secret)).size, 20);
    equal(new Set(made.map(({ key }) => key.id)).size, 20);
    for (const { key, secret } of made) equal((await context.store.find(secret))?.id, key.id);
    notEqual(made[0]?.key.id, made[0]?.secret);
  },
};
