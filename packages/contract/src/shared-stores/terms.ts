import { equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** The cases of the terms that a hold requires. */
export const termsCases: Cases<SharedContext> = {
  "a hold is refused without an acceptance of a required version": async ({ store, issue, hold, ledger }) => {
    const keyId = await issue();
    equal(await hold(keyId, { terms: ["v1"] }), "terms_refused");
    await store.terms.accept(ledger.account, "v0");
    equal(await hold(keyId, { terms: ["v1", "v2"] }), "terms_refused");
    await ledger.expectBalance(1_000n, 0n);
  },
  "an acceptance of any of the versions suffices": async ({ store, issue, hold, ledger }) => {
    const keyId = await issue();
    await store.terms.accept(ledger.account, "v2");
    for (const terms of [["v2"], ["v2", "v1"], ["v1", "v2"], ["v1", "v2", "v3"]]) {
      equal(await hold(keyId, { terms }), "held", terms.join(", "));
    }
  },
  "an empty list of versions requires nothing": async ({ issue, hold }) => {
    equal(await hold(await issue(), { terms: [] }), "held");
  },
  "an acceptance through the peer counts immediately": async ({ peer, issue, hold, ledger }) => {
    const keyId = await issue();
    equal(await hold(keyId, { terms: ["v1"] }), "terms_refused");
    await peer.terms.accept(ledger.account, "v1");
    equal(await hold(keyId, { terms: ["v1"] }), "held");
  },
  "an acceptance of another account does not count": async ({ store, issue, hold, ledger }) => {
    await store.terms.accept(`${ledger.account}-other`, "v1");
    equal(await hold(await issue(), { terms: ["v1"] }), "terms_refused");
  },
  "a hold without a key requires the terms too": async ({ store, ledger }) => {
    const receipt = { requestId: crypto.randomUUID(), description: "An image" };
    const hostHold = { keyId: undefined, receipt, terms: ["v1"] };
    equal((await ledger.hold(100n, hostHold)).outcome, "terms_refused");
    await store.terms.accept(ledger.account, "v1");
    equal((await ledger.hold(100n, hostHold)).outcome, "held");
  },
  "a refused hold grants no allowance": async ({ store, issue, hold, ledger }) => {
    const allowance = { amount: 100n, window: "month" } as const;
    equal(await hold(crypto.randomUUID(), { allowance }), "key_refused");
    equal(await hold(await issue(), { allowance, terms: ["v1"] }), "terms_refused");
    await ledger.expectBalance(1_000n, 0n);
    await store.terms.accept(ledger.account, "v1");
    equal(await hold(await issue(), { allowance, terms: ["v1"] }), "held");
    await ledger.expectBalance(1_100n, 100n);
  },
  "any text is a valid version": async ({ store, issue, hold, ledger }) => {
    const keyId = await issue();
    for (const name of ["__proto__", "it's", 'v"1', "v1,v2", "{v1}", "%_", "日本", ""]) {
      equal(await hold(keyId, { terms: [name] }), "terms_refused", name);
      await store.terms.accept(ledger.account, name);
      equal(await hold(keyId, { terms: [name] }), "held", name);
    }
  },
  "the key is checked before the terms, and the terms before the balance": async ({ store, issue, hold, ledger }) => {
    const keyId = await issue();
    equal(await hold(crypto.randomUUID(), { terms: ["v1"] }), "key_refused");
    equal(await hold(keyId, { terms: ["v1"], amount: 1_001n }), "terms_refused");
    await store.terms.accept(ledger.account, "v1");
    equal(await hold(keyId, { terms: ["v1"], amount: 1_001n }), "insufficient");
  },
};
