import { describe, expect, it } from "vitest";
import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import { readLimits } from "./model.ts";
import { free } from "./price.ts";
import { TargetHealth } from "./target-health.ts";

const providerNamed = (name: string): ProviderAdapter => ({
  name,
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
});

const target = (provider: ProviderAdapter, upstreamModel: string): ModelTarget => ({
  provider,
  upstreamModel,
  upstreamModelJson: encodeUtf8(JSON.stringify(upstreamModel)),
  identity: upstreamModel,
  price: free,
  cacheTtls: new Set(),
  contextWindow: 8_000,
  priority: 1,
  weight: 1,
  limits: readLimits({}, {}),
});

function scene() {
  const changes: string[] = [];
  const provider = providerNamed("one");
  const health = new TargetHealth({ threshold: 5, cooldownMs: 30_000 }, ({ upstreamModel }, change) =>
    changes.push(`${upstreamModel} ${change}`),
  );
  const small = target(provider, "small");
  const fail = (failed: ModelTarget, failure: ProviderFailure, status?: number, now = 0) =>
    health.recordFailure(
      failed,
      new ProviderError(failure, "failed", status === undefined ? {} : { status }),
      now,
      health.recordStart(failed, now),
    );
  return {
    changes,
    health,
    small,
    large: target(provider, "large"),
    elsewhere: target(providerNamed("two"), "small"),
    fail,
  };
}

describe("TargetHealth", () => {
  it("tells since when a breaker is open and why, also while it is half open", () => {
    const { health, small, fail } = scene();
    expect(health.stateOf(small, 0).opened).toBeUndefined();
    fail(small, "credentials", 401, 1_000);
    expect(health.stateOf(small, 2_000)).toMatchObject({
      state: "open",
      opened: { at: 1_000, cause: { failure: "credentials", upstreamStatus: 401 } },
    });
    fail(small, "credentials", 402, 40_000);
    expect(health.stateOf(small, 80_000)).toMatchObject({
      state: "half_open",
      opened: { at: 1_000, cause: { failure: "credentials", upstreamStatus: 402 } },
    });
    health.recordSuccess(small, health.recordStart(small, 80_000));
    expect(health.stateOf(small, 80_000).opened).toBeUndefined();
  });

  it("counts implausible usage by upstream model", () => {
    const { health, small, large } = scene();
    health.countImplausible(small, 5);
    health.countImplausible(small, 7);
    expect(health.stateOf(small, 8).implausible).toEqual({ count: 2, lastAt: 7 });
    expect(health.stateOf(large, 8).implausible.count).toBe(0);
  });

  it.each([401, 402, undefined])("opens all models of an account at once after a %s", (status) => {
    const { health, small, large, elsewhere, fail, changes } = scene();
    fail(small, "credentials", status);
    expect([small, large, elsewhere].map((each) => health.admits(each, 29_999))).toEqual([false, false, true]);
    expect(health.admits(large, 30_000)).toBe(true);
    expect(changes).toEqual(["small opened"]);
  });

  it.each([400, 404, 405, 410])("opens one model at once after a %s", (status) => {
    const { health, small, large, fail, changes } = scene();
    fail(small, "credentials", status);
    expect([small, large].map((each) => health.admits(each, 0))).toEqual([false, true]);
    expect(changes).toEqual(["small opened"]);
  });

  it.each(["rejected", "context_length", "too_large"] as const)("ignores a request that was %s", (failure) => {
    const { health, small, fail, changes } = scene();
    for (let i = 0; i < 20; i++) fail(small, failure, 400);
    expect([health.admits(small, 0), changes]).toEqual([true, []]);
  });

  it("ignores a 403 and errors of other kinds", () => {
    const { health, small, fail } = scene();
    for (let i = 0; i < 20; i++) {
      fail(small, "credentials", 403);
      health.recordFailure(small, new TypeError("a mistake"), 0, health.recordStart(small, 0));
    }
    expect(health.admits(small, 0)).toBe(true);
  });

  it.each(["failed", "overloaded", "unreachable", "timeout", "invalid_response"] as const)(
    "opens a model, and no other, after 5 consecutive failures of the kind %s",
    (failure) => {
      const { health, small, large, elsewhere, fail, changes } = scene();
      for (let i = 0; i < 4; i++) fail(small, failure);
      health.recordSuccess(small, health.recordStart(small, 0));
      for (let i = 0; i < 4; i++) fail(small, failure);
      expect([health.admits(small, 0), changes]).toEqual([true, []]);
      fail(small, failure, undefined, 9);
      expect([small, large, elsewhere].map((each) => health.admits(each, 10))).toEqual([false, true, true]);
      expect([health.failedAt(small), health.failedAt(large), changes]).toEqual([9, 0, ["small opened"]]);
    },
  );

  it("reports once that a target recovered", () => {
    const { health, small, fail, changes } = scene();
    fail(small, "credentials", 401);
    const entry = health.recordStart(small, 30_000);
    expect(health.admits(small, 30_001)).toBe(false);
    health.recordSuccess(small, entry);
    health.recordSuccess(small, health.recordStart(small, 30_002));
    expect(changes).toEqual(["small opened", "small closed"]);
  });

  it("lets the next request probe when the failure of a probe does not count", () => {
    const { health, small, fail } = scene();
    fail(small, "failed", 404);
    fail(small, "credentials", 404);
    fail(small, "rejected", 400, 30_000);
    expect(health.admits(small, 30_000)).toBe(true);
  });

  it("takes the first content of a probe as a success, and ignores that of other streams", () => {
    const { health, small, fail, changes } = scene();
    for (let i = 0; i < 4; i++) fail(small, "failed");
    const early = health.recordStart(small, 0);
    health.recordFirstContent(small, early);
    fail(small, "failed");
    expect(changes).toEqual(["small opened"]);
    health.recordFirstContent(small, early);
    expect(changes).toEqual(["small opened"]);
    health.recordFirstContent(small, health.recordStart(small, 30_000));
    expect(changes).toEqual(["small opened", "small closed"]);
  });

  it("identifies a provider by its object and a model by its name in any list", () => {
    const { health, small, fail } = scene();
    fail(small, "credentials", 404);
    expect(health.admits(target(small.provider, "small"), 0)).toBe(false);
    expect(health.admits(target(small.provider, "__proto__"), 0)).toBe(true);
  });
});
