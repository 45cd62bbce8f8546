import { describe, expect, it } from "vitest";
import type { LedgerFlaw } from "../processes/flaws.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { type KillPlan, killLedger } from "./kill-ledger.ts";
import type { Violation } from "./ledger/violation.ts";

/** Each mistake, and what the checker calls it. */
const flaws: readonly (readonly [LedgerFlaw, readonly Violation["kind"][]])[] = [
  ["guard dropped", ["overdrawn"]],
  // Where the sum of what is held would fall below zero, the tables themselves refuse it, and the release throws.
  ["release without state check", ["double", "wrong"]],
  ["heartbeat that renews nothing", ["neglected"]],
  ["settle twice", ["double"]],
];

const plan: KillPlan = {
  seconds: 2,
  least: { kills: 1, holds: 200, renewals: 50, "settles repeated": 20, releases: 10 },
  workers: 2,
  loops: 4,
  leaseMs: 600,
  killEveryMs: 1_500,
};

/** Shows that a run of kills notices the mistakes for which it is there, on a store that each makes its tables for. */
export function describePlantedBugs(newStore: () => Promise<StoreAddress>): void {
  describe("with a planted mistake", () => {
    for (const [flaw, kinds] of flaws) {
      it(`is caught: ${flaw}`, async () => {
        const seen = new Set<Violation["kind"]>();
        // On a busy machine a run may be over before the mistake has done harm.
        for (let tries = 0; tries < 4 && !kinds.some((kind) => seen.has(kind)); tries++) {
          const { violations, deaths } = await killLedger(await newStore(), { ...plan, flaw });
          expect(deaths).toEqual([]);
          for (const { kind } of violations) seen.add(kind);
        }
        const found = kinds.filter((kind) => seen.has(kind));
        const advice = `Saw ${[...seen]} instead. Where this is nothing, adapt the mistake in flaws.ts to the store.`;
        expect(found, advice).not.toEqual([]);
      }, 120_000);
    }
  });
}
