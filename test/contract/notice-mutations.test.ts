import { noticeOutboxContract } from "@tollgate/contract";
import type { Notice } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { type MutateLedger, mutantLedger } from "./mutant-ledger.ts";

const thresholdCase = "each threshold that is charged writes one notice";
const leaseCase = "a claimed notice is due again after its lease, and a finished one never";
const postponedCase = "a postponed notice is due after its delay, with the endpoints that accepted it";

const creditCase = "a credit writes one notice, and a repeated one, a conflict and a debit none";

const withoutNotices =
  (unwritten: Notice["type"]): MutateLedger =>
  (store) => ({ claimNotices: (query) => store.claimNotices(query).filter(({ type }) => type !== unwritten) });

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [string, MutateLedger, string])[] = [
  [
    "a notice written twice",
    (store) => ({
      claimNotices: (query) =>
        store.claimNotices(query).flatMap((notice) => [notice, { ...notice, id: crypto.randomUUID() }]),
    }),
    thresholdCase,
  ],
  [
    "the thresholds of a key ignored",
    (store) => ({
      hold: (request) =>
        store.hold({ ...request, spend: request.spend.account ? { account: request.spend.account } : {} }),
    }),
    "a key's limit writes notices of its own, with the end of the window",
  ],
  [
    "the chain of a rotated key ignored",
    (store) => ({
      hold: (request) => {
        const { limitsId: _, ...spend } = request.spend;
        return store.hold({ ...request, spend });
      },
    }),
    "keys of one chain of rotations share a limit, and a notice names the key that reached it",
  ],
  [
    "a low balance ignored",
    (store) => ({
      hold: (request) =>
        store.hold({ ...request, notices: request.notices && { thresholds: request.notices.thresholds } }),
    }),
    "a low balance writes one notice until what is posted is at the amount again",
  ],
  [
    "delivered endpoints forgotten",
    (store) => ({ postponeNotice: (id, query) => store.postponeNotice(id, { ...query, delivered: [] }) }),
    postponedCase,
  ],
  [
    "the delay ignored",
    (store) => ({ postponeNotice: (id, query) => store.postponeNotice(id, { ...query, delayMs: 0 }) }),
    leaseCase,
  ],
  [
    "the lease ignored",
    (store) => ({ claimNotices: (query) => store.claimNotices({ ...query, leaseMs: 0 }) }),
    "concurrent claims take different notices",
  ],
  [
    "the lease never ends",
    (store) => ({ claimNotices: (query) => store.claimNotices({ ...query, leaseMs: 60_000 }) }),
    leaseCase,
  ],
  [
    "a claim loses its notices",
    (store) => ({
      claimNotices(query) {
        const claimed = store.claimNotices(query);
        for (const { id } of claimed) store.finishNotice(id);
        return claimed;
      },
    }),
    leaseCase,
  ],
  ["a postponed notice lost", (store) => ({ postponeNotice: (id) => store.finishNotice(id) }), postponedCase],
  [
    "a claimed notice not counted",
    (store) => ({
      waitingNotices: () => ({
        ...store.waitingNotices(),
        count: store.claimNotices({ limit: 100, leaseMs: 1 }).length,
      }),
    }),
    "notices wait until they are finished, also while they are claimed or postponed",
  ],
  ["a finished notice kept", () => ({ finishNotice: () => undefined }), leaseCase],
  [
    "the limit of a claim ignored",
    (store) => ({ claimNotices: (query) => store.claimNotices({ ...query, limit: 1_000 }) }),
    "a claim takes the oldest notices up to its limit",
  ],
  ["credits not told", withoutNotices("balance.credited"), creditCase],
  [
    "the expiry of a credit not told",
    (store) => ({
      claimNotices: (query) =>
        store.claimNotices(query).map((notice) => {
          if (notice.type !== "balance.credited") return notice;
          const { expiresAt: _, ...credited } = notice;
          return credited;
        }),
    }),
    creditCase,
  ],
  [
    "refunds not told",
    withoutNotices("charge.refunded"),
    "a refund writes one notice, and a repeated one and a conflict none",
  ],
  [
    "a freeze told at each call",
    (store) => ({
      freeze(account, reason) {
        store.thaw(account);
        store.freeze(account, reason);
      },
    }),
    "a freeze and a thaw write one notice each, and repeated ones none",
  ],
  [
    "expiries not told",
    withoutNotices("balance.expiring"),
    "a lot writes one notice with what is left of it, once it expires within 7 days",
  ],
];

describe("the outbox suite", () => {
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
  return failuresOf((test) => noticeOutboxContract({ test, create: () => ({ store: mutantLedger(mutate) }) }), only);
}
