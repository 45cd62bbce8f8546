import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { describe, it } from "vitest";
import { BreakableBalanceStore, type Flaws } from "../../../contract/breakable-balance-store.ts";
import { Journal, readJournals } from "../../processes/journal.ts";
import type { LedgerAnswer, LedgerCall } from "./calls.ts";
import { checkLedger } from "./check-ledger.ts";
import { RecordedStore } from "./recorded-store.ts";
import type { Violation } from "./violation.ts";

const account = "ada";
const leaseMs = 500;

/** Each mistake of a store, and what the checker calls it. */
const mistakes: readonly (readonly [keyof Flaws, Violation["kind"]])[] = [
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
];

describe.concurrent("the checker of ledgers", () => {
  it("has nothing against a store that keeps its promises", async ({ expect }) => {
    expect(await check(memoryBalanceStore())).toEqual([]);
  });

  for (const [flaw, kind] of mistakes) {
    it(`notices the mistake ${flaw}`, async ({ expect }) => {
      const violations = await check(new BreakableBalanceStore({ [flaw]: true }));
      expect(violations.map((violation) => violation.kind)).toContain(kind);
    });
  }

  it("notices what was acknowledged and is gone", async ({ expect }) => {
    const violations = await check(memoryBalanceStore(), memoryBalanceStore());
    expect(violations).toContainEqual({ kind: "lost", problem: "Credit top-up was acknowledged and is not there." });
    expect(violations).toContainEqual({ kind: "lost", problem: "Hold released was granted and is not there." });
    expect(violations).toContainEqual({
      kind: "lost",
      problem: "Hold settled of 100 (ended by 60) was charged 0 by nothing.",
    });
  });

  it("notices a renewal that renews nothing, and one that throws what is no outage", async ({ expect }) => {
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

/** Does with a store what workers do, and compares what they were told with what the store, or another, says then. */
async function check(store: BalanceStore, asked = store): Promise<readonly Violation[]> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-journals-"));
  await useInEveryWay(new RecordedStore(store, new Journal(join(folder, "0-1.journal")), leaseMs));
  await sleep(leaseMs + 10);
  await asked.expire();
  const moments = readJournals<LedgerCall, LedgerAnswer>(folder);
  rmSync(folder, { recursive: true });
  return checkLedger(asked, { moments, accounts: [account], leaseMs });
}

async function useInEveryWay(store: RecordedStore): Promise<void> {
  await store.credit("top-up", account, 1_000n);
  await store.credit("top-up", account, 1_000n);
  for (const id of ["settled", "exceeded", "released", "renewed", "late", "abandoned"]) {
    await store.hold(id, account, 100n);
  }
  await store.settle("settled", 60n);
  await store.settle("settled", 60n);
  await store.release("settled");
  await store.settle("exceeded", 120n);
  await store.release("released");
  await store.renew([
    { id: "late", used: 40n },
    { id: "abandoned", used: 50n },
  ]);
  await sleep(leaseMs / 2);
  await store.renew([{ id: "renewed", used: 70n }]);
  await sleep(leaseMs / 2 + 10);
  await store.expire();
  await store.settle("renewed", 80n);
  await store.settle("late", 90n);
  await store.hold("too much", account, 1_500n);
  await store.settle("too much", 1_500n);
}

function verbsOf(store: BalanceStore): BalanceStore {
  return {
    hold: (request) => store.hold(request),
    renew: (renewals, lease) => store.renew(renewals, lease),
    settle: (id, amount) => store.settle(id, amount),
    release: (id) => store.release(id),
    expire: () => store.expire(),
    credit: (posting) => store.credit(posting),
    debit: (posting) => store.debit(posting),
    balance: (of) => store.balance(of),
    entries: (query) => store.entries(query),
    verify: () => store.verify(),
  };
}
