import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ProviderError } from "../errors/provider-error.ts";
import type { Target } from "../ports/model-config.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { Attempts } from "./attempts.ts";
import { readModel } from "./model.ts";
import { TargetHealth } from "./target-health.ts";

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

const routing = { retries: 1, backoffMs: 250, maxRetryAfterMs: 2_000 };
const failed = new ProviderError("failed", "It failed.");
const timedOut = new ProviderError("timeout", "It took too long.");
const tooLong = new ProviderError("context_length", "It is too long.");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

function scene(...targets: readonly Partial<Target>[]) {
  const changes: string[] = [];
  const health = new TargetHealth({ threshold: 5, cooldownMs: 30_000 }, ({ upstreamModel }, change) =>
    changes.push(`${upstreamModel} ${change}`),
  );
  const upstream = { totalMs: 10_000 };
  const all = targets.map((target, place) => ({ provider, model: String(place), ...target }));
  const model = readModel({ id: "model", maxOutputTokens: 10, price: "free", targets: all }, upstream);
  return {
    changes,
    attempts: () =>
      new Attempts({ routing, health }, model.targets, {
        nativeMethod: () => undefined,
        conversation: () => undefined,
      }),
  };
}

/** The targets that are tried in turn when attempts fail with these errors. */
function follow(attempts: Attempts, ...causes: readonly ProviderError[]): (string | undefined)[] {
  return causes.map((cause) => attempts.next(cause)?.target.upstreamModel);
}

it("retries a target, fails over to the next, and then ends", () => {
  const attempts = scene({}, {}).attempts();
  expect([attempts.target.upstreamModel, attempts.count]).toEqual(["0", 1]);
  expect(follow(attempts, failed, failed, timedOut)).toEqual(["0", "1", undefined]);
  expect([attempts.target.upstreamModel, attempts.count]).toEqual(["1", 3]);
});

it("delays retries only, and makes no attempt at or after the deadline", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { attempts } = scene({}, {});
  const some = attempts();
  expect([some.next(failed)?.waitMs, some.next(failed)?.waitMs]).toEqual([125, 0]);
  const late = attempts();
  vi.advanceTimersByTime(9_875);
  expect(late.next(failed)).toMatchObject({ target: { upstreamModel: "1" }, waitMs: 0 });
  vi.advanceTimersByTime(125);
  expect(late.next(failed)).toBeUndefined();
  vi.restoreAllMocks();
});

it("has its time also when the date of the machine is set", () => {
  const attempts = scene({}, {}).attempts();
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(follow(attempts, failed, failed)).toEqual(["0", "1"]);
});

it("never returns to a target whose window was too small", () => {
  const windows = [8, 4, 16, 8, 32].map((contextWindow) => ({ contextWindow }));
  expect(follow(scene(...windows).attempts(), tooLong, timedOut, tooLong)).toEqual(["2", "4", undefined]);
});

it("skips a target whose breaker opened meanwhile, and does not retry on an open one", () => {
  const { attempts, changes } = scene({}, {}, {});
  const planned = attempts();
  const others = Array.from({ length: 5 }, attempts);
  for (const other of others) follow(other, timedOut, timedOut);
  expect(changes).toEqual(["0 opened", "1 opened"]);
  expect(follow(planned, failed)).toEqual(["2"]);
});

it("lets the next request probe a target when the probe ended without a result", () => {
  const { attempts } = scene({}, {});
  const refused = attempts();
  refused.recordFailure(new ProviderError("credentials", "No such model.", { status: 404 }));
  vi.advanceTimersByTime(30_000);
  const first = attempts();
  expect([first, attempts()].map(({ target }) => target.upstreamModel)).toEqual(["0", "1"]);
  first.recordCancelled();
  const second = attempts();
  expect(second.target.upstreamModel).toBe("0");
  second.recordFirstContent();
  expect(attempts().target.upstreamModel).toBe("0");
});
