import { deepEqual, equal, rejects } from "node:assert/strict";
import type { TermsStore } from "@tollgate/core/store";
import { callConcurrently } from "./concurrent-calls.ts";
import { type Cases, type OpenedWithDefaults, runSuite, type SuiteOptions } from "./suite.ts";

interface TermsContext extends OpenedWithDefaults<TermsStore> {
  readonly account: string;
}

/** The suite for every TermsStore. Each case uses a new account. */
export function termsStoreContract(options: SuiteOptions<TermsStore>): void {
  runSuite(options, "TermsStore", { acceptance: termsCases }, (opened, check) =>
    check({ ...opened, account: `account-${crypto.randomUUID()}` }),
  );
}

const termsCases: Cases<TermsContext> = {
  "an unknown account has accepted nothing": async ({ store, account }) => {
    equal(await store.acceptance(account, ["v1", "v2"]), undefined);
  },
  "an acceptance is stored unchanged": async ({ store, account }) => {
    const acceptance = await store.accept(account, "v1");
    deepEqual([acceptance.account, acceptance.versionId], [account, "v1"]);
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - acceptance.acceptedAt.getTime()) < 60_000, true);
    deepEqual(await store.acceptance(account, ["v1"]), acceptance);
  },
  "an acceptance of any of the versions is found": async ({ store, account }) => {
    await store.accept(account, "v2");
    equal((await store.acceptance(account, ["v3", "v2", "v1"]))?.versionId, "v2");
    await store.accept(account, "v1");
    const found = await store.acceptance(account, ["v1", "v2"]);
    equal(["v1", "v2"].includes(found?.versionId ?? ""), true);
  },
  "an acceptance does not cover other versions": async ({ store, account }) => {
    await store.accept(account, "v1");
    equal(await store.acceptance(account, ["v2"]), undefined);
    equal(await store.acceptance(account, []), undefined);
  },
  "an acceptance does not cover other accounts": async ({ store, account }) => {
    await store.accept(account, "v1");
    equal(await store.acceptance(`${account}-other`, ["v1"]), undefined);
  },
  "a repeated acceptance keeps the first date": async ({ store, account, wait }) => {
    const first = await store.accept(account, "v1");
    await wait(15);
    deepEqual(await store.accept(account, "v1"), first);
    deepEqual(await store.acceptance(account, ["v1"]), first);
  },
  "20 parallel acceptances have the same date": async (context) => {
    const results = await callConcurrently(context, 20, (client) => client.accept(context.account, "v1"));
    equal(new Set(results.map(({ acceptedAt }) => acceptedAt.getTime())).size, 1);
    deepEqual(await context.peer.acceptance(context.account, ["v1"]), results[0]);
  },
  "a missing account or version throws": async ({ store, account }) => {
    await rejects(async () => store.accept("", "v1"), { name: "RangeError", message: /`account` must be a string/ });
    const missing: string = JSON.parse("null");
    await rejects(async () => store.accept(account, missing), { message: /`versionId` must be a string, not null/ });
  },
  "any text is a valid account or version": async ({ store, account }) => {
    for (const name of ["__proto__", "constructor", "it's", "v1:v2", "%_", "日本"]) {
      equal(await store.acceptance(`${account}:${name}`, [name]), undefined);
      await store.accept(`${account}:${name}`, name);
      equal((await store.acceptance(`${account}:${name}`, [name]))?.versionId, name);
    }
  },
};
