// A store of one's own under the published suite, with the runner that Node brings: node --test own-store.example.mjs
import { describe, it } from "node:test";
import { termsStoreContract } from "@tollgate/contract";

class OwnTermsStore {
  #rows = [];

  accept(account, versionId) {
    const known = this.acceptance(account, [versionId]);
    if (known !== undefined) return known;
    const row = { account, versionId, acceptedAt: new Date() };
    this.#rows.push(row);
    return row;
  }

  acceptance(account, versionIds) {
    return this.#rows.find((row) => row.account === account && versionIds.includes(row.versionId));
  }
}

termsStoreContract({ test: { describe, it }, create: () => ({ store: new OwnTermsStore() }) });
