import { describe, expect, it, vi } from "vitest";
import { memoryLimiter } from "../memory/memory-limiter.ts";
import type { Limiter, LimitState, Reservation } from "../ports/limiter.ts";
import { isCount, isReservationResult, limitError, releaseSlot, settleReservation } from "./limiter-results.ts";

const window = { limit: 1_000, windowSeconds: 60 };
const tokens = { amount: 100, window };
const reservation: Reservation = { id: "1", subject: "key", tokens, concurrency: 2, leaseMs: 60_000 };
const state: LimitState = { limit: 10, remaining: 0, resetAt: 1_700_000_090_001, now: 1_700_000_000_000 };

/** A run whose limiter records what is settled. */
function runUnderTest(reserved: Reservation | undefined, settle: Limiter["settle"] = () => undefined) {
  const settled = vi.fn(settle);
  const [leaveKey, waitUntil] = [vi.fn(), vi.fn<(work: Promise<unknown>) => void>()];
  const run = { reservation: reserved, leaveKey };
  return {
    limiter: Object.assign(memoryLimiter(), { settle: settled }),
    settled,
    running: { run, request: { waitUntil } },
  };
}

describe("the end of a reservation", () => {
  it("is settled once, with the tokens that were used", () => {
    const { limiter, settled, running } = runUnderTest(reservation);
    settleReservation(limiter, running, 7);
    settleReservation(limiter, running, 8);
    expect(settled).toHaveBeenCalledExactlyOnceWith(reservation, 7);
    expect(running.request.waitUntil).not.toHaveBeenCalled();
  });

  it("throws nothing when the limiter throws", () => {
    const { limiter, running } = runUnderTest(reservation, () => expect.fail("connection lost"));
    settleReservation(limiter, running, 7);
    expect(running.run.reservation).toBeUndefined();
  });

  it.each([
    ["resolves", async () => undefined],
    ["rejects", async () => expect.fail("connection lost")],
  ])("lets the host wait for a limiter that %s", async (_, settle) => {
    const { limiter, running } = runUnderTest(reservation, settle);
    settleReservation(limiter, running, 7);
    expect(running.request.waitUntil).toHaveBeenCalledOnce();
    await expect(running.request.waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
  });

  it("needs no host that waits", () => {
    const { limiter, settled, running } = runUnderTest(reservation, async () => undefined);
    settleReservation(limiter, { run: running.run, request: { waitUntil: undefined } }, 7);
    expect(settled).toHaveBeenCalledOnce();
  });
});

describe("a slot that is released early", () => {
  it("keeps the tokens reserved, which are settled later", () => {
    const { limiter, settled, running } = runUnderTest(reservation);
    releaseSlot(limiter, running);
    expect(settled).toHaveBeenLastCalledWith({ ...reservation, tokens: undefined }, 100);
    expect(running.run.leaveKey).toHaveBeenCalledOnce();
    settleReservation(limiter, running, 7);
    expect(settled).toHaveBeenLastCalledWith({ ...reservation, concurrency: undefined }, 7);
  });

  it("ends a reservation without tokens", () => {
    const slot = { ...reservation, tokens: undefined };
    const { limiter, settled, running } = runUnderTest(slot);
    releaseSlot(limiter, running);
    expect(settled).toHaveBeenCalledExactlyOnceWith(slot, 0);
    expect(running.run.reservation).toBeUndefined();
  });

  it.each([
    ["without a slot", { ...reservation, concurrency: undefined }],
    ["that is absent", undefined],
  ])("leaves a reservation %s as it is", (_, reserved) => {
    const { limiter, settled, running } = runUnderTest(reserved);
    releaseSlot(limiter, running);
    expect(settled).not.toHaveBeenCalled();
    expect(running.run.reservation).toBe(reserved);
    expect(running.run.leaveKey).toHaveBeenCalledOnce();
  });
});

describe("the answer of a limiter", () => {
  const garbage: readonly (readonly [json: string, isResult: boolean])[] = [
    ["null", false],
    ["{}", false],
    ['{"granted":"yes"}', false],
    ['{"granted":1,"state":{"limit":1,"remaining":1,"resetAt":1,"now":1}}', false],
    ['{"granted":true}', true],
    ['{"granted":false}', false],
    ['{"granted":false,"state":null}', false],
    ['{"granted":false,"state":{"limit":1,"remaining":1,"resetAt":1}}', false],
    ['{"granted":false,"state":{"remaining":1,"resetAt":1,"now":1}}', false],
  ];

  it.each(garbage)("%s is no count, and a result only if it is granted: %s", (json, isResult) => {
    expect([isCount(JSON.parse(json)), isReservationResult(JSON.parse(json))]).toEqual([false, isResult]);
  });

  it.each([true, false])("with granted %s and a state is valid", (granted) => {
    expect(isCount({ granted, state })).toBe(true);
    expect(isReservationResult({ granted, state, refusedBy: "tokens" })).toBe(true);
  });
});

describe("the error of a limit", () => {
  it.each([
    ["requests", 91],
    ["tokens", 91],
    ["concurrency", 1],
  ] as const)("of %s names it, the limit, and %i s to wait", (limit, seconds) => {
    const error = limitError(limit, state, "Too many.");
    expect([error.code, error.message]).toEqual([
      "rate_limit_exceeded",
      `Too many. The limit is 10. Try again in ${seconds} s.`,
    ]);
    expect(error.details).toEqual({
      retryAfterSeconds: seconds,
      headers: { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000091" },
      metadata: { limit },
    });
  });
});
