import { describe, expect, it } from "vitest";
import type { StoreAddress } from "../processes/open-store.ts";
import type { SessionViolation } from "./check-sessions.ts";
import { killSessions } from "./kill-sessions.ts";
import type { TurnFlaw } from "./turn-flaws.ts";

interface Mistake {
  readonly flaw: TurnFlaw;
  /** What the checker calls it. */
  readonly kind: SessionViolation["kind"];
  /** How often workers are killed; a worker that was stopped must live to make the first mistake. */
  readonly killEveryMs: number;
}

const mistakes: readonly Mistake[] = [
  { flaw: "end without a look at the lock", kind: "overlap", killEveryMs: 60_000 },
  { flaw: "messages one by one", kind: "half", killEveryMs: 300 },
];

const plan = { seconds: 2, least: { stops: 2, turns: 20 }, workers: 3, loops: 6, sessions: 6, leaseMs: 400 };

const mostRuns = 10;

/** Shows that a run of kills notices the mistakes for which it is there, on a store that each run makes its tables for. */
export function describePlantedMistakes(newStore: () => Promise<StoreAddress>): void {
  describe("with a planted mistake", () => {
    for (const { flaw, kind, killEveryMs } of mistakes) {
      it(`is caught: ${flaw}`, async () => {
        // Whether a kill meets a turn at the wrong moment is chance, so that one run may pass.
        const seen = new Set<SessionViolation["kind"]>();
        for (let run = 0; run < mostRuns && !seen.has(kind); run++) {
          const { violations, deaths } = await killSessions(await newStore(), { ...plan, killEveryMs, flaw });
          expect(deaths).toEqual([]);
          for (const violation of violations) seen.add(violation.kind);
        }
        expect([...seen]).toContain(kind);
      }, 240_000);
    }
  });
}
