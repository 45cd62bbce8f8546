import { describe, expect, it } from "vitest";
import type { StoreAddress } from "../processes/open-store.ts";
import type { SessionViolation } from "./check-sessions.ts";
import { killSessions } from "./kill-sessions.ts";
import type { TurnMutation } from "./turn-mutations.ts";

interface SeededMutation {
  readonly mutation: TurnMutation;
  /** The kind of violation that the checker must report. */
  readonly kind: SessionViolation["kind"];
  /** The interval of kills. For the first mutation, a suspended worker must survive until it resumes. */
  readonly killEveryMs: number;
}

const mutations: readonly SeededMutation[] = [
  { mutation: "end without a check of the lock", kind: "overlap", killEveryMs: 60_000 },
  { mutation: "messages one by one", kind: "half", killEveryMs: 300 },
];

const plan = { seconds: 2, minimums: { stops: 2, turns: 20 }, workers: 3, loops: 6, sessions: 6, leaseMs: 400 };

const maxRuns = 10;

/** Registers tests that a run detects the seeded mutations, each on a new store. */
export function describeSeededMutations(newStore: () => Promise<StoreAddress>): void {
  describe("with a seeded mutation", () => {
    for (const { mutation, kind, killEveryMs } of mutations) {
      it(`detects: ${mutation}`, async () => {
        // Whether a kill interrupts a turn at the critical moment is random, so a single run can pass.
        const seen = new Set<SessionViolation["kind"]>();
        for (let run = 0; run < maxRuns && !seen.has(kind); run++) {
          const { violations, deaths } = await killSessions(await newStore(), { ...plan, killEveryMs, mutation });
          expect(deaths).toEqual([]);
          for (const violation of violations) seen.add(violation.kind);
        }
        expect([...seen]).toContain(kind);
      }, 240_000);
    }
  });
}
