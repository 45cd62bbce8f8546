// Runs the suite over a custom store with Node's test runner: node --test own-store.example.mjs
import { describe, it } from "node:test";
import { termsStoreContract } from "@tollgate/contract";
import { checkedAccount, checkedId } from "@tollgate/core/store";

class OwnTermsStore {
  #rows = [];

  accept(account, versionId) {
    const existing = this.acceptance(account, [versionId]);
    if (existing !== undefined) return existing;
    const row = {
      account: checkedAccount(account),
      versionId: checkedId("versionId", versionId),
      acceptedAt: new Date(),
    };
    this.#rows.push(row);
    return row;
  }

  acceptance(account, versionIds) {
    return this.#rows.find((row) => row.account === account && versionIds.includes(row.versionId));
  }
}

termsStoreContract({ test: { describe, it }, create: () => ({ store: new OwnTermsStore() }) });
