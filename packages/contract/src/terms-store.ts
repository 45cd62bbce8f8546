import { deepEqual, equal } from "node:assert/strict";
import type { TermsStore } from "@tollgate/core/store";
import { crowd } from "./crowd.ts";
import { type Cases, type OpenedFully, runSuite, type SuiteOptions } from "./suite.ts";

interface TermsContext extends OpenedFully<TermsStore> {
  readonly account: string;
}

/** What every TermsStore must satisfy. Each case works on an account of its own. */
export function termsStoreContract(options: SuiteOptions<TermsStore>): void {
  runSuite(options, "TermsStore", { acceptance: termsCases }, (opened, check) =>
    check({ ...opened, account: `account-${crypto.randomUUID()}` }),
  );
}

const termsCases: Cases<TermsContext> = {
  "an account that was never seen has accepted nothing": async ({ store, account }) => {
    equal(await store.acceptance(account, ["v1", "v2"]), undefined);
  },
  "an acceptance is given back as it was made": async ({ store, account }) => {
    const made = await store.accept(account, "v1");
    deepEqual([made.account, made.versionId], [account, "v1"]);
    // A minute of allowance: the store's clock may be another machine's.
    equal(Math.abs(Date.now() - made.acceptedAt.getTime()) < 60_000, true);
    deepEqual(await store.acceptance(account, ["v1"]), made);
  },
  "any one of the versions asked for will do": async ({ store, account }) => {
    await store.accept(account, "v2");
    equal((await store.acceptance(account, ["v3", "v2", "v1"]))?.versionId, "v2");
    await store.accept(account, "v1");
    const found = await store.acceptance(account, ["v1", "v2"]);
    equal(["v1", "v2"].includes(found?.versionId ?? ""), true);
  },
  "another version has not been accepted": async ({ store, account }) => {
    await store.accept(account, "v1");
    equal(await store.acceptance(account, ["v2"]), undefined);
    equal(await store.acceptance(account, []), undefined);
  },
  "another account has not accepted": async ({ store, account }) => {
    await store.accept(account, "v1");
    equal(await store.acceptance(`${account}-other`, ["v1"]), undefined);
  },
  "accepting again keeps the first date": async ({ store, account, wait }) => {
    const first = await store.accept(account, "v1");
    await wait(15);
    deepEqual(await store.accept(account, "v1"), first);
    deepEqual(await store.acceptance(account, ["v1"]), first);
  },
  "twenty parallel acceptances have one date": async (context) => {
    const made = await crowd(context, 20, (client) => client.accept(context.account, "v1"));
    equal(new Set(made.map(({ acceptedAt }) => acceptedAt.getTime())).size, 1);
    deepEqual(await context.peer.acceptance(context.account, ["v1"]), made[0]);
  },
  "any text may name an account or a version": async ({ store, account }) => {
    for (const name of ["__proto__", "constructor", "it's", "v1:v2", "%_", "日本"]) {
      equal(await store.acceptance(`${account}:${name}`, [name]), undefined);
      await store.accept(`${account}:${name}`, name);
      equal((await store.acceptance(`${account}:${name}`, [name]))?.versionId, name);
    }
  },
};
