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
    (store) => ({ release: (hold) => store.settle(hold, 1n, Object.assign(Object.create(null))) }),
    "a settlement, a release and an expiry correct what is spent",
  ],
  [
    "late settlements not counted",
    (store) => ({
      settle: (hold, amount, receipt) =>
        store.renew([{ ...hold, used: 0n }], 60_000).length > 0
          ? store.settle(hold, amount, receipt)
          : { outcome: "late" },
    }),
    "a settlement, a release and an expiry correct what is spent",
  ],
  ["freezes ignored", () => ({ freeze: () => undefined }), "a frozen account places no hold, and a thawed one does"],
  ["thaws ignored", () => ({ thaw: () => undefined }), "a frozen account places no hold, and a thawed one does"],
  [
    "freezes told to nobody",
    () => ({ onFreeze: () => () => undefined }),
    "listeners are told of the accounts that are frozen and thawed, until they are removed",
  ],
  [
    "a freeze checked after the balance",
    (store) => ({
      hold: (request) =>
        store.balance(request.account).available < request.amount
          ? { outcome: "insufficient", balance: store.balance(request.account) }
          : store.hold(request),
    }),
    "the freeze is checked before the balance and the limit",
  ],
  [
    "refunds not counted",
    (store) => ({
      refund: ({ account, sequence, amount = 1n, reason }) =>
        store.credit({ id: String(sequence), account, amount, reason }),
    }),
    "a refund counts no more in the windows of its hold",
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
