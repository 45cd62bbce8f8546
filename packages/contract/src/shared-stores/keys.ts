import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** What holds of the key of a hold. */
export const keyCases: Cases<SharedContext> = {
  "a hold with a key of the account is held": async ({ books, issue }) => {
    const result = await books.hold(100n, { keyId: await issue() });
    deepEqual(result, { outcome: "held", balance: { posted: 1_000n, held: 100n, available: 900n } });
    await books.expectBalance(1_000n, 100n);
  },
  "a key made by the peer will do": async ({ peer, books, hold }) => {
    const { key } = await peer.keys.create({ account: books.account, plan: "basic" });
    equal(await hold(key.id), "held");
  },
  "a key that will expire is good until then": async ({ issue, hold }) => {
    equal(await hold(await issue({ expiresAt: new Date(Date.now() + 3_600_000) })), "held");
  },
  "a key that does not exist is refused": async ({ issue, hold, books }) => {
    await issue();
    for (const stranger of [crypto.randomUUID(), "", "key-1"]) equal(await hold(stranger), "key_refused");
    await books.expectBalance(1_000n, 0n);
  },
  "a key of another account is refused": async ({ issue, hold, books }) => {
    equal(await hold(await issue({ account: `${books.account}-other` })), "key_refused");
    await books.expectBalance(1_000n, 0n);
  },
  "a key that has expired is refused": async ({ issue, hold, books }) => {
    equal(await hold(await issue({ expiresAt: new Date(Date.now() - 120_000) })), "key_refused");
    await books.expectBalance(1_000n, 0n);
  },
  "a key is refused as soon as it expires": async ({ issue, hold, wait, books }) => {
    const keyId = await issue({ expiresAt: new Date(Date.now() + 20) });
    await wait(40);
    equal(await hold(keyId), "key_refused");
    await books.expectBalance(1_000n, 0n);
  },
  "a revoked key is refused, and other keys are not": async ({ store, issue, hold, books }) => {
    const [keyId, other] = [await issue(), await issue()];
    await store.keys.revoke(keyId);
    equal(await hold(keyId), "key_refused");
    equal(await hold(other), "held");
    await books.expectBalance(1_000n, 100n);
  },
  "a key that was just used is refused once the peer has revoked it": async ({ peer, issue, hold, books }) => {
    const keyId = await issue();
    equal(await hold(keyId), "held");
    await peer.keys.revoke(keyId);
    equal(await hold(keyId), "key_refused");
    await books.expectBalance(1_000n, 100n);
  },
  "a rotated key is good within its grace, and so is the new one": async ({ store, issue, hold }) => {
    const keyId = await issue();
    const next = await store.keys.rotate(keyId, { graceMs: 3_600_000 });
    equal(await hold(keyId), "held");
    equal(await hold(next?.key.id ?? ""), "held");
  },
  "a rotated key is refused when its grace is over": async ({ peer, issue, hold, wait }) => {
    const keyId = await issue();
    equal(await hold(keyId), "held");
    const next = await peer.keys.rotate(keyId, { graceMs: 20 });
    await wait(40);
    equal(await hold(keyId), "key_refused");
    equal(await hold(next?.key.id ?? ""), "held");
  },
  "funds are looked at for a good key alone": async ({ store, issue, hold }) => {
    const keyId = await issue();
    equal(await hold(keyId, { amount: 1_001n }), "insufficient");
    await store.keys.revoke(keyId);
    equal(await hold(keyId, { amount: 1_001n }), "key_refused");
    equal(await hold(crypto.randomUUID(), { amount: 1_001n }), "key_refused");
  },
  "a refused hold may be asked again with a good key": async ({ issue, hold, books }) => {
    const id = crypto.randomUUID();
    equal(await hold(crypto.randomUUID(), { id }), "key_refused");
    equal(await hold(await issue(), { id }), "held");
    await books.expectBalance(1_000n, 100n);
  },
};
