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
        const { violations, deaths } = await killLedger(await newStore(), { ...plan, flaw });
        expect(deaths).toEqual([]);
        const found = violations.filter(({ kind }) => kinds.includes(kind));
        expect(found.length, `${violations.length} violations of other kinds`).toBeGreaterThan(0);
      }, 60_000);
    }
  });
}
