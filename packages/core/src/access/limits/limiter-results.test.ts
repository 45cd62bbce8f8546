import { describe, expect, it, vi } from "vitest";
import { memoryLimiter } from "../../memory/memory-limiter.ts";
import type { Limiter, LimitState, Reservation } from "../../ports/limiter.ts";
import { isCount, isReservationResult, limitError, releaseConcurrency, settleReservation } from "./limiter-results.ts";

const window = { limit: 1_000, windowSeconds: 60 };
const tokens = { amount: 100, window };
const reservation: Reservation = { id: "1", subject: "key", tokens, concurrency: 2, leaseMs: 60_000 };
const state: LimitState = { limit: 10, remaining: 0, resetAt: 1_700_000_090_001, now: 1_700_000_000_000 };

/** A limiter that records what is settled, and a request whose host can wait. */
function limiterUnderTest(settle: Limiter["settle"] = () => undefined) {
  const settled = vi.fn(settle);
  const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
  return { limiter: Object.assign(memoryLimiter(), { settle: settled }), settled, request: { waitUntil } };
}

describe("the end of a reservation", () => {
  it("is settled with the tokens that were used", () => {
    const { limiter, settled, request } = limiterUnderTest();
    settleReservation(limiter, request, reservation, 7);
    expect(settled).toHaveBeenCalledExactlyOnceWith(reservation, 7);
    expect(request.waitUntil).not.toHaveBeenCalled();
  });

  it("is nothing for a call that reserved nothing", () => {
    const { limiter, settled, request } = limiterUnderTest();
    settleReservation(limiter, request, undefined, 7);
    expect(settled).not.toHaveBeenCalled();
  });

  it("throws nothing when the limiter throws", () => {
    const { limiter, settled, request } = limiterUnderTest(() => expect.fail("connection lost"));
    settleReservation(limiter, request, reservation, 7);
    expect(settled).toHaveBeenCalledOnce();
  });

  it.each([
    ["resolves", async () => undefined],
    ["rejects", async () => expect.fail("connection lost")],
  ])("lets the host wait for a limiter that %s", async (_, settle) => {
    const { limiter, request } = limiterUnderTest(settle);
    settleReservation(limiter, request, reservation, 7);
    expect(request.waitUntil).toHaveBeenCalledOnce();
    await expect(request.waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
  });

  it("needs no host that waits", () => {
    const { limiter, settled } = limiterUnderTest(async () => undefined);
    settleReservation(limiter, { waitUntil: undefined }, reservation, 7);
    expect(settled).toHaveBeenCalledOnce();
  });
});

describe("concurrency that is released early", () => {
  it("leaves the tokens, which are settled later", () => {
    const { limiter, settled, request } = limiterUnderTest();
    const left = releaseConcurrency(limiter, request, reservation);
    expect(settled).toHaveBeenCalledExactlyOnceWith({ ...reservation, tokens: undefined }, 100);
    expect(left).toEqual({ ...reservation, concurrency: undefined });
  });

  it("leaves nothing of a reservation without tokens", () => {
    const slot = { ...reservation, tokens: undefined };
    const { limiter, settled, request } = limiterUnderTest();
    expect(releaseConcurrency(limiter, request, slot)).toBeUndefined();
    expect(settled).toHaveBeenCalledExactlyOnceWith(slot, 0);
  });

  it.each([
    ["without concurrency", { ...reservation, concurrency: undefined }],
    ["that is absent", undefined],
  ])("leaves a reservation %s as it is", (_, reserved) => {
    const { limiter, settled, request } = limiterUnderTest();
    expect(releaseConcurrency(limiter, request, reserved)).toBe(reserved);
    expect(settled).not.toHaveBeenCalled();
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
