import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SessionSweep } from "./session-sweep.ts";

const request = { waitUntil: undefined };

const minutes = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function sweepOf(expire: () => number | Promise<number>) {
  const expiring = vi.fn(expire);
  const sweep = new SessionSweep({ sessions: { expire: expiring }, storeTimeoutMs: 2_000 });
  return { sweep, expiring };
}

it("sweeps the first time, and then at most once in ten minutes", async () => {
  const { sweep, expiring } = sweepOf(() => 0);
  for (let started = 0; started < 5; started++) sweep.start(request);
  await vi.advanceTimersByTimeAsync(10 * minutes - 1);
  sweep.start(request);
  expect(expiring).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  sweep.start(request);
  expect(expiring).toHaveBeenCalledTimes(2);
});

it("continues until no session is left", async () => {
  const left = [500, 500, 1, 0];
  const { sweep, expiring } = sweepOf(async () => left.shift() ?? 0);
  sweep.start(request);
  await vi.advanceTimersByTimeAsync(0);
  expect(expiring).toHaveBeenCalledTimes(4);
});

it.each([
  ["that always removes one", async () => 1, 100],
  ["that returns an invalid number", async () => Number.NaN, 1],
])("ends with a store %s", async (_name, expire, calls) => {
  const { sweep, expiring } = sweepOf(expire);
  sweep.start(request);
  await vi.advanceTimersByTimeAsync(10 * minutes - 1);
  expect(expiring).toHaveBeenCalledTimes(calls);
});

it.each([
  ["throws", () => fail()],
  ["rejects", async () => fail()],
  ["never responds", () => new Promise<number>(() => undefined)],
])("tries a store that %s again in the next sweep", async (_name, expire) => {
  const { sweep, expiring } = sweepOf(expire);
  sweep.start(request);
  await vi.advanceTimersByTimeAsync(10 * minutes);
  sweep.start(request);
  await vi.advanceTimersByTimeAsync(10 * minutes);
  expect(expiring).toHaveBeenCalledTimes(2);
});

function fail(): never {
  throw new Error("down");
}
