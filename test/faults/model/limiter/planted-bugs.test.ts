import type { Limiter, Reservation } from "@tollgate/core/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { withFlaw } from "../../../contract/failures.ts";
import { printFigures } from "../../figures.ts";
import { Tally } from "../tally.ts";
import { limiterProperty } from "./limiter-property.ts";
import { memoryLimiterUnderTest } from "./memory-limiters.ts";

const flaws: Record<string, (sound: Limiter) => Partial<Limiter>> = {
  "grants everything": () => ({ reserve: () => ({ granted: true }) }),
  "has a place too many": (sound) => ({
    reserve: (wanted) =>
      sound.reserve({ ...wanted, concurrency: wanted.concurrency === undefined ? undefined : wanted.concurrency + 1 }),
  }),
  "never frees a place": () => ({ settle: () => undefined }),
  "keeps to its estimates": (sound) => ({
    settle: (reservation) => sound.settle(reservation, reservation.tokens?.amount ?? 0),
  }),
  "charges tokens for a refusal": (sound) => ({
    reserve: async (wanted) => {
      const result = await sound.reserve(wanted);
      const { tokens, subject, leaseMs } = wanted;
      if (!result.granted) await sound.reserve({ id: crypto.randomUUID(), subject, tokens, leaseMs });
      return result;
    },
  }),
  "does nothing at renewals": () => ({ renew: () => undefined }),
  "gives a place back at a renewal": (sound) => ({
    renew: async (running) => {
      for (const each of running) await sound.reserve({ ...each, tokens: undefined });
    },
  }),
  "names a reset that is too early": (sound) => ({
    countRequest: async (subject, window) => {
      const { granted, state } = await sound.countRequest(subject, window);
      return { granted, state: { ...state, resetAt: state.now + 10 } };
    },
  }),
  "opens a window for each request": (sound) => ({
    countRequest: (subject, window) => sound.countRequest(subject + crypto.randomUUID(), window),
  }),
  "refunds across windows": refundAcrossWindows,
};

/** As many scripts as a limiter is held to the model with in the short form, and always the same, so that no luck is needed. */
const parameters = { numRuns: 2_000, seed: 1 };

describe("the model finds a limiter that", { timeout: 60_000 }, () => {
  const runsUntilFound: Record<string, number> = {};

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
  afterAll(() => {
    vi.useRealTimers();
    printFigures("Scripts until the model found a planted mistake of a limiter", runsUntilFound);
  });

  for (const [name, flaw] of Object.entries(flaws)) {
    it(name, async () => {
      const next = () => memoryLimiterUnderTest((sound) => withFlaw(sound, flaw(sound)));
      const found = await fc.check(limiterProperty(next, new Tally()), { ...parameters, endOnFailure: true });
      runsUntilFound[name] = found.numRuns;
      expect(found.failed).toBe(true);
    });
  }
});

/** Gives what a reservation of an earlier window did not use back to the newest one, as a bare counter would. */
function refundAcrossWindows(sound: Limiter): Partial<Limiter> {
  const granted: { readonly reservation: Reservation; readonly at: number }[] = [];
  return {
    reserve: async (reservation) => {
      const result = await sound.reserve(reservation);
      if (result.granted && reservation.tokens !== undefined) granted.push({ reservation, at: Date.now() });
      return result;
    },
    settle: async (reservation, tokensUsed) => {
      await sound.settle(reservation, tokensUsed);
      const charged = granted.find((each) => each.reservation.id === reservation.id);
      const newest = granted.findLast((each) => each.reservation.subject === reservation.subject);
      if (charged === undefined || newest === undefined || Date.now() - charged.at < 60_000) return;
      const refund = (reservation.tokens?.amount ?? 0) - tokensUsed;
      await sound.settle(newest.reservation, (newest.reservation.tokens?.amount ?? 0) - refund);
    },
  };
}
