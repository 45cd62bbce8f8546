import { describe, expect, it, vi } from "vitest";
import { clientGone, draining } from "../errors/call-errors.ts";
import { ProviderError } from "../errors/provider-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { readModel } from "./model.ts";
import { canFailOver, retryWaitMs } from "./retry-rules.ts";

const routing = { retries: 2, backoffMs: 250, maxRetryAfterMs: 2_000 };

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

const targetOf = (contextWindow?: number): ModelTarget =>
  readModel({
    id: "model",
    maxOutputTokens: 10,
    price: "free",
    targets: [{ provider, model: "up", ...(contextWindow === undefined ? {} : { contextWindow }) }],
  }).targets[0];

describe("each failure", () => {
  it.each([
    ["rejected", 0, "nowhere"],
    ["context_length", 0, "a larger window"],
    ["too_large", 0, "nowhere"],
    ["credentials", 0, "anywhere"],
    ["failed", 9, "anywhere"],
    ["overloaded", 9, "anywhere"],
    ["unreachable", 9, "anywhere"],
    ["timeout", 0, "anywhere"],
    ["invalid_response", 1, "anywhere"],
  ] as const)("%s is retried at most %d times, and fails over %s", (failure, times, where) => {
    const cause = new ProviderError(failure, "failed");
    const tries = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((each) => retryWaitMs(cause, each, routing) !== undefined);
    expect(tries).toHaveLength(times);
    const small = targetOf(8_000);
    const windows = [targetOf(8_000), targetOf(8_001), targetOf()].map((to) => canFailOver(cause, small, to));
    expect(windows).toEqual(
      { nowhere: [false, false, false], "a larger window": [false, true, true], anywhere: [true, true, true] }[where],
    );
    expect(canFailOver(cause, targetOf(), targetOf())).toBe(where === "anywhere");
  });

  it("of an adapter that throws another error fails over without a retry", () => {
    expect(retryWaitMs(new TypeError("a mistake"), 1, routing)).toBeUndefined();
    expect(canFailOver(new TypeError("a mistake"), targetOf(), targetOf())).toBe(true);
  });

  it.each([clientGone(), draining()])("of the gateway ends the request: $code", (cause) => {
    expect([retryWaitMs(cause, 1, routing), canFailOver(cause, targetOf(1), targetOf(2))]).toEqual([undefined, false]);
  });
});

describe("the delay before a retry", () => {
  it("is a random part of a backoff that doubles", () => {
    const random = vi.spyOn(Math, "random");
    const waits = (drawn: number) => {
      random.mockReturnValue(drawn);
      return [1, 2, 3].map((tries) => retryWaitMs(new ProviderError("failed", "failed"), tries, routing));
    };
    expect([waits(0), waits(0.5), waits(1)]).toEqual([
      [0, 0, 0],
      [125, 250, 500],
      [250, 500, 1_000],
    ]);
    random.mockRestore();
  });

  it("is the upstream's Retry-After up to the limit; above it there is no retry", () => {
    const wait = (retryAfterSeconds: number) =>
      retryWaitMs(new ProviderError("overloaded", "busy", { retryAfterSeconds }), 1, routing);
    expect([wait(0), wait(1), wait(2), wait(3)]).toEqual([0, 1_000, 2_000, undefined]);
  });
});
