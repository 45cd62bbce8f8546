import type { Limiter, Reservation } from "@tollgate/core/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { withOverrides } from "../../../contract/failures.ts";
import { printFigures } from "../../figures.ts";
import { Tally } from "../tally.ts";
import { limiterProperty } from "./limiter-property.ts";
import { memoryLimiterUnderTest } from "./memory-limiters.ts";

const mutations: Record<string, (sound: Limiter) => Partial<Limiter>> = {
  "grants everything": () => ({ reserve: () => ({ granted: true }) }),
  "grants one place too many": (sound) => ({
    reserve: (reservation) =>
      sound.reserve({
        ...reservation,
        concurrency: reservation.concurrency === undefined ? undefined : reservation.concurrency + 1,
      }),
  }),
  "never releases a place": () => ({ settle: () => undefined }),
  "ignores the actual use": (sound) => ({
    settle: (reservation) => sound.settle(reservation, reservation.tokens?.amount ?? 0),
  }),
  "charges tokens for a refusal": (sound) => ({
    reserve: async (reservation) => {
      const result = await sound.reserve(reservation);
      const { tokens, subject, leaseMs } = reservation;
      if (!result.granted) await sound.reserve({ id: crypto.randomUUID(), subject, tokens, leaseMs });
      return result;
    },
  }),
  "does not renew": () => ({ renew: () => undefined }),
  "restores a settled place at a renewal": (sound) => ({
    renew: async (running) => {
      for (const each of running) await sound.reserve({ ...each, tokens: undefined });
    },
  }),
  "returns a reset that is too early": (sound) => ({
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

/** The number of scripts of the short form, with a fixed seed, so that the result is deterministic. */
const parameters = { numRuns: 2_000, seed: 1 };

describe("the model detects a limiter that", { timeout: 60_000 }, () => {
  const runsUntilFound: Record<string, number> = {};

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
  afterAll(() => {
    vi.useRealTimers();
    printFigures("Scripts until the model found a seeded mutation of a limiter", runsUntilFound);
  });

  for (const [name, mutation] of Object.entries(mutations)) {
    it(name, async () => {
      const next = () => memoryLimiterUnderTest((sound) => withOverrides(sound, mutation(sound)));
      const found = await fc.check(limiterProperty(next, new Tally()), { ...parameters, endOnFailure: true });
      runsUntilFound[name] = found.numRuns;
      expect(found.failed).toBe(true);
    });
  }
});

/** Refunds the unused tokens of an earlier window to the newest reservation, as a simple counter would. */
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
