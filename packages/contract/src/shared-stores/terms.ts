import { equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** What holds of the terms that a hold asks for. */
export const termsCases: Cases<SharedContext> = {
  "without an acceptance of what is asked the hold is refused": async ({ store, issue, hold, books }) => {
    const keyId = await issue();
    equal(await hold(keyId, { terms: ["v1"] }), "terms_refused");
    await store.terms.accept(books.account, "v0");
    equal(await hold(keyId, { terms: ["v1", "v2"] }), "terms_refused");
    await books.expectBalance(1_000n, 0n);
  },
  "any accepted one of the versions suffices": async ({ store, issue, hold, books }) => {
    const keyId = await issue();
    await store.terms.accept(books.account, "v2");
    for (const terms of [["v2"], ["v2", "v1"], ["v1", "v2"], ["v1", "v2", "v3"]]) {
      equal(await hold(keyId, { terms }), "held", terms.join(", "));
    }
  },
  "no version asks for nothing": async ({ issue, hold }) => {
    equal(await hold(await issue(), { terms: [] }), "held");
  },
  "an acceptance through the peer counts at once": async ({ peer, issue, hold, books }) => {
    const keyId = await issue();
    equal(await hold(keyId, { terms: ["v1"] }), "terms_refused");
    await peer.terms.accept(books.account, "v1");
    equal(await hold(keyId, { terms: ["v1"] }), "held");
  },
  "an acceptance of another account does not count": async ({ store, issue, hold, books }) => {
    await store.terms.accept(`${books.account}-other`, "v1");
    equal(await hold(await issue(), { terms: ["v1"] }), "terms_refused");
  },
  "any text may name a version": async ({ store, issue, hold, books }) => {
    const keyId = await issue();
    for (const name of ["__proto__", "it's", 'v"1', "v1,v2", "{v1}", "%_", "日本", ""]) {
      equal(await hold(keyId, { terms: [name] }), "terms_refused", name);
      await store.terms.accept(books.account, name);
      equal(await hold(keyId, { terms: [name] }), "held", name);
    }
  },
  "the key is looked at before the terms, and the terms before the funds": async ({ store, issue, hold, books }) => {
    const keyId = await issue();
    equal(await hold(crypto.randomUUID(), { terms: ["v1"] }), "key_refused");
    equal(await hold(keyId, { terms: ["v1"], amount: 1_001n }), "terms_refused");
    await store.terms.accept(books.account, "v1");
    equal(await hold(keyId, { terms: ["v1"], amount: 1_001n }), "insufficient");
  },
};
