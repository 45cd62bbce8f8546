import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { describe, it } from "vitest";
import { type BalanceMutations, MutantBalanceStore } from "../../../contract/mutant-balance-store.ts";
import { Journal, readJournals } from "../../processes/journal.ts";
import type { LedgerAnswer, LedgerCall } from "./calls.ts";
import { checkLedger } from "./check-ledger.ts";
import { RecordedStore } from "./recorded-store.ts";
import type { Violation } from "./violation.ts";

const account = "ada";
const leaseMs = 500;

/** Each mutation of a store, and the kind of violation that the checker must report. */
const mutations: readonly (readonly [keyof BalanceMutations, Violation["kind"]])[] = [
  ["guardDropped", "overdrawn"],
  ["releaseInAnyState", "double"],
  ["settleTwice", "double"],
  ["overageForgiven", "drift"],
  ["lateInFull", "drift"],
  ["lateRefused", "wrong"],
  ["renewalDead", "neglected"],
  ["expiryOfWholeHold", "drift"],
  ["expiryKeepsHold", "stuck"],
  ["creditRepeated", "double"],
  ["chargeUnexplained", "unexplained"],
  ["expiryUnexplained", "unexplained"],
];

describe.concurrent("the ledger checker", () => {
  it("reports nothing for a correct store", async ({ expect }) => {
    expect(await check(memoryBalanceStore())).toEqual([]);
  });

  for (const [mutation, kind] of mutations) {
    it(`detects the mutation ${mutation}`, async ({ expect }) => {
      const violations = await check(new MutantBalanceStore({ [mutation]: true }));
      expect(violations.map((violation) => violation.kind)).toContain(kind);
    });
  }

  it("detects acknowledged calls that were lost", async ({ expect }) => {
    const violations = await check(memoryBalanceStore(), memoryBalanceStore());
    expect(violations).toContainEqual({ kind: "lost", problem: "Credit top-up was acknowledged and is not there." });
    expect(violations).toContainEqual({ kind: "lost", problem: "Hold released was granted and is not there." });
    expect(violations).toContainEqual({
      kind: "lost",
      problem: "Hold settled of 100 (ended by 60) was charged 0 by nothing.",
    });
  });

  it("detects a renewal that has no effect, and one that throws an error other than an outage", async ({ expect }) => {
    const silent = await check({ ...verbsOf(memoryBalanceStore()), renew: () => [] });
    expect(silent).toContainEqual({
      kind: "neglected",
      problem: "Hold renewed was not renewed though it was pending.",
    });
    const renew = () => Promise.reject(Object.assign(new Error("column is ambiguous"), { code: "42702" }));
    const broken = await check({ ...verbsOf(memoryBalanceStore()), renew });
    expect(broken).toContainEqual({ kind: "wrong", problem: "renew threw: 42702 column is ambiguous" });
  });
});

/** Uses a store as workers do, and compares the recorded results with the state of that store or of another one. */
async function check(store: BalanceStore, checked = store): Promise<readonly Violation[]> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-journals-"));
  await useInEveryWay(new RecordedStore(store, new Journal(join(folder, "0-1.journal")), leaseMs));
  await sleep(leaseMs + 10);
  await checked.expire();
  const moments = readJournals<LedgerCall, LedgerAnswer>(folder);
  rmSync(folder, { recursive: true });
  return checkLedger(checked, { moments, accounts: [account], leaseMs });
}

async function useInEveryWay(store: RecordedStore): Promise<void> {
  await store.credit("top-up", account, 1_000n, { kind: "paid" });
  await store.credit("top-up", account, 1_000n, { kind: "paid" });
  for (const id of ["settled", "exceeded", "released", "renewed", "late", "abandoned"]) {
    await store.hold(id, account, 100n);
  }
  await store.settle({ id: "settled", account }, 60n);
  await store.settle({ id: "settled", account }, 60n);
  await store.release({ id: "settled", account });
  await store.settle({ id: "exceeded", account }, 120n);
  await store.release({ id: "released", account });
  await store.renew([
    { id: "late", account, used: 40n },
    { id: "abandoned", account, used: 50n },
  ]);
  await sleep(leaseMs / 2);
  await store.renew([{ id: "renewed", account, used: 70n }]);
  await sleep(leaseMs / 2 + 10);
  await store.expire();
  await store.settle({ id: "renewed", account }, 80n);
  await store.settle({ id: "late", account }, 90n);
  await store.hold("too much", account, 1_500n);
  await store.settle({ id: "too much", account }, 1_500n);
}

function verbsOf(store: BalanceStore): BalanceStore {
  return {
    hold: (request) => store.hold(request),
    renew: (renewals, lease) => store.renew(renewals, lease),
    settle: (...args) => store.settle(...args),
    release: (hold) => store.release(hold),
    expire: () => store.expire(),
    credit: (posting) => store.credit(posting),
    debit: (posting) => store.debit(posting),
    refund: (refund) => store.refund(refund),
    balance: (of, allowance) => store.balance(of, allowance),
    usedBy: (keyId) => store.usedBy(keyId),
    findAccount: (of) => store.findAccount(of),
    spendOf: (queries) => store.spendOf(queries),
    onFreeze: (listener) => store.onFreeze(listener),
    entries: (query) => store.entries(query),
    verify: () => store.verify(),
  };
}
