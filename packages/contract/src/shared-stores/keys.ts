import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** The cases of the key of a hold. */
export const keyCases: Cases<SharedContext> = {
  "a hold with a key of the account succeeds": async ({ ledger, issue }) => {
    const result = await ledger.hold(100n, { keyId: await issue() });
    deepEqual(result, { outcome: "held", balance: { posted: 1_000n, held: 100n, available: 900n }, amount: 100n });
    await ledger.expectBalance(1_000n, 100n);
  },
  "a key that the peer has created is valid": async ({ peer, ledger, hold }) => {
    const { key } = await peer.keys.create({ account: ledger.account, plan: "basic" });
    equal(await hold(key.id), "held");
  },
  "a key is valid until it expires": async ({ issue, hold }) => {
    equal(await hold(await issue({ expiresAt: new Date(Date.now() + 3_600_000) })), "held");
  },
  "a key that does not exist is refused": async ({ issue, hold, ledger }) => {
    await issue();
    for (const unknown of [crypto.randomUUID(), "", "key-1"]) equal(await hold(unknown), "key_refused");
    await ledger.expectBalance(1_000n, 0n);
  },
  "a key of another account is refused": async ({ issue, hold, ledger }) => {
    equal(await hold(await issue({ account: `${ledger.account}-other` })), "key_refused");
    await ledger.expectBalance(1_000n, 0n);
  },
  "a key that has expired is refused": async ({ issue, hold, ledger }) => {
    equal(await hold(await issue({ expiresAt: new Date(Date.now() - 120_000) })), "key_refused");
    await ledger.expectBalance(1_000n, 0n);
  },
  "a key is refused as soon as it expires": async ({ issue, hold, wait, ledger }) => {
    const keyId = await issue({ expiresAt: new Date(Date.now() + 20) });
    await wait(40);
    equal(await hold(keyId), "key_refused");
    await ledger.expectBalance(1_000n, 0n);
  },
  "a revoked key is refused, and other keys are not": async ({ store, issue, hold, ledger }) => {
    const [keyId, other] = [await issue(), await issue()];
    await store.keys.revoke(keyId);
    equal(await hold(keyId), "key_refused");
    equal(await hold(other), "held");
    await ledger.expectBalance(1_000n, 100n);
  },
  "a key that was just used is refused after the peer has revoked it": async ({ peer, issue, hold, ledger }) => {
    const keyId = await issue();
    equal(await hold(keyId), "held");
    await peer.keys.revoke(keyId);
    equal(await hold(keyId), "key_refused");
    await ledger.expectBalance(1_000n, 100n);
  },
  "a rotated key is valid within its grace period, and so is the new one": async ({ store, issue, hold }) => {
    const keyId = await issue();
    const next = await store.keys.rotate(keyId, { graceMs: 3_600_000 });
    equal(await hold(keyId), "held");
    equal(await hold(next?.key.id ?? ""), "held");
  },
  "a rotated key is refused after its grace period": async ({ peer, issue, hold, wait }) => {
    const keyId = await issue();
    equal(await hold(keyId), "held");
    const next = await peer.keys.rotate(keyId, { graceMs: 20 });
    await wait(40);
    equal(await hold(keyId), "key_refused");
    equal(await hold(next?.key.id ?? ""), "held");
  },
  "the balance is checked only for a valid key": async ({ store, issue, hold }) => {
    const keyId = await issue();
    equal(await hold(keyId, { amount: 1_001n }), "insufficient");
    await store.keys.revoke(keyId);
    equal(await hold(keyId, { amount: 1_001n }), "key_refused");
    equal(await hold(crypto.randomUUID(), { amount: 1_001n }), "key_refused");
  },
  "a hold without a key is a charge of the host, and no key is checked": async ({ ledger }) => {
    const receipt = { requestId: crypto.randomUUID(), description: "An image" };
    const id = await ledger.held(100n, { keyId: undefined, receipt });
    equal((await ledger.store.settle({ id, account: ledger.account }, 40n, undefined)).outcome, "ended");
    await ledger.expectBalance(960n, 0n);
  },
  "a refused hold can be retried with a valid key": async ({ issue, hold, ledger }) => {
    const id = crypto.randomUUID();
    equal(await hold(crypto.randomUUID(), { id }), "key_refused");
    equal(await hold(await issue(), { id }), "held");
    await ledger.expectBalance(1_000n, 100n);
  },
};
