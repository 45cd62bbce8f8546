import { accountAdminContract } from "@tollgate/contract";
import type { HoldSpend } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { type MutateLedger, mutantLedger } from "./mutant-ledger.ts";

const withSpend =
  (change: (spend: HoldSpend) => HoldSpend): MutateLedger =>
  (store) => ({ hold: (request) => store.hold({ ...request, spend: change(request.spend) }) });

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [string, MutateLedger, string])[] = [
  [
    "account limits ignored",
    withSpend(({ key }) => (key ? { key } : {})),
    "exactly 10 of 100 parallel holds succeed on a limit for 10",
  ],
  [
    "key limits ignored",
    withSpend(({ account }) => (account ? { account } : {})),
    "a limit of the key within that of the account, and the other way round",
  ],
  [
    "own limit ignored",
    () => ({ limitSpend: () => undefined }),
    "the account's own limit overrides the default of its plan",
  ],
  [
    "release not corrected",
    (store) => ({ release: (id) => store.settle(id, 1n, Object.assign(Object.create(null))) }),
    "a settlement, a release and an expiry correct what is spent",
  ],
  [
    "late settlements not counted",
    (store) => ({
      settle: (id, amount, receipt) =>
        store.renew([{ id, used: 0n }], 60_000).length > 0 ? store.settle(id, amount, receipt) : { outcome: "late" },
    }),
    "a settlement, a release and an expiry correct what is spent",
  ],
  [
    "prefix ignored",
    (store) => ({ listAccounts: ({ prefix: _, ...query }) => store.listAccounts(query) }),
    "accounts are listed in the order of their bytes, in pages and by prefix",
  ],
];

describe("the account suite", () => {
  it("passes the store without mutations", async () => {
    expect(await failuresWith(() => ({}))).toEqual([]);
  });

  for (const [name, mutate, detectedBy] of mutations) {
    it(`detects: ${name}`, async () => {
      expect(await failuresWith(mutate, detectedBy)).toEqual([detectedBy]);
    });
  }
});

function failuresWith(mutate: MutateLedger, only?: string): Promise<string[]> {
  return failuresOf((test) => accountAdminContract({ test, create: () => ({ store: mutantLedger(mutate) }) }), only);
}
