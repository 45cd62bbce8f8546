import { equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** The cases of frozen accounts. */
export const freezeCases: Cases<SharedContext> = {
  "the freeze is checked after the key and the terms": async ({ store, issue, hold, ledger }) => {
    const keyId = await issue();
    await store.balances.freeze(ledger.account, "dispute 17");
    equal(await hold(crypto.randomUUID()), "key_refused");
    equal(await hold(keyId, { terms: ["v1"] }), "terms_refused");
    equal(await hold(keyId), "frozen");
    await store.terms.accept(ledger.account, "v1");
    equal(await hold(keyId, { terms: ["v1"] }), "frozen");
    await ledger.expectBalance(1_000n, 0n);
  },
  "a freeze by the peer holds at once": async ({ store, peer, issue, hold, ledger }) => {
    const keyId = await issue();
    equal(await hold(keyId), "held");
    await peer.balances.freeze(ledger.account, "dispute 17");
    equal(await hold(keyId), "frozen");
    await store.balances.thaw(ledger.account);
    equal(await hold(keyId), "held");
    await ledger.expectBalance(1_000n, 200n);
  },
};
