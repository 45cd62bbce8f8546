import { describe, expect, it } from "vitest";
import { form } from "../form.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import type { LedgerMutation } from "../processes/statement-mutations.ts";
import { type KillPlan, killLedger } from "./kill-ledger.ts";
import type { Violation } from "./ledger/violation.ts";

/** Each mutation, and the kinds of violations that the checker can report for it. */
const mutations: readonly (readonly [LedgerMutation, readonly Violation["kind"][]])[] = [
  ["guard dropped", ["overdrawn"]],
  // A constraint of the tables rejects a negative held amount, so the release can throw.
  ["release without state check", ["double", "wrong"]],
  ["heartbeat that renews nothing", ["neglected"]],
  ["settle twice", ["double"]],
  ["receipt forgotten", ["unexplained"]],
];
/** The short form seeds one: `ledger/check-ledger.test.ts` tests what the checker finds. */
const tested = { long: mutations, short: mutations.slice(0, 1) }[form];

const plan: KillPlan = {
  seconds: 2,
  minimums: { kills: 1, holds: 200, renewals: 50, "settles repeated": 20, releases: 10 },
  workers: 2,
  loops: 4,
  leaseMs: 600,
  killEveryMs: 1_500,
};

/** Registers tests that a run detects the seeded mutations, each on a new store. */
export function describeSeededMutations(newStore: () => Promise<StoreAddress>): void {
  describe("with a seeded mutation", () => {
    for (const [mutation, kinds] of tested) {
      it(`detects: ${mutation}`, async () => {
        const seen = new Set<Violation["kind"]>();
        // On a busy machine, a run can end before the mutation has had an effect.
        for (let tries = 0; tries < 4 && !kinds.some((kind) => seen.has(kind)); tries++) {
          const { violations, deaths } = await killLedger(await newStore(), { ...plan, mutation });
          expect(deaths).toEqual([]);
          for (const { kind } of violations) seen.add(kind);
        }
        const found = kinds.filter((kind) => seen.has(kind));
        const advice = `Found ${[...seen]} instead. If this is empty, adapt the mutation in statement-mutations.ts to the store.`;
        expect(found, advice).not.toEqual([]);
      }, 120_000);
    }
  });
}
