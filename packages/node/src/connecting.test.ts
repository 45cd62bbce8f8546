import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connected, expectConnection, type Waiting } from "./upstream-exchange.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waitingFor = (milliseconds: number): Waiting & { readonly expire: ReturnType<typeof vi.fn<() => void>> } => {
  const one = {
    position: -1,
    connectsUntil: performance.now() + milliseconds,
    expire: vi.fn(() => connected(one)),
  };
  expectConnection(one);
  return one;
};

it("expires each waiting request at most 25 ms after its deadline, and never one that has connected", () => {
  const [short, long, served] = [waitingFor(100), waitingFor(1_000), waitingFor(100)];
  connected(served);
  vi.advanceTimersByTime(99);
  expect(short.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(26);
  expect(short.expire).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1_000);
  expect(long.expire).toHaveBeenCalledOnce();
  expect(short.expire).toHaveBeenCalledOnce();
  expect(served.expire).not.toHaveBeenCalled();
});

it("stops the timer when nothing is waiting, and starts it again later", () => {
  waitingFor(10);
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
  const later = waitingFor(10);
  vi.advanceTimersByTime(100);
  expect(later.expire).toHaveBeenCalledOnce();
});

it("removes any of several waiting requests, and ignores a second removal", () => {
  const all = [1, 2, 3, 4, 5].map(() => waitingFor(50));
  for (const one of [all[1], all[4], all[1], all[0]]) if (one !== undefined) connected(one);
  vi.advanceTimersByTime(100);
  expect(all.map((one) => one.expire.mock.calls.length)).toEqual([0, 0, 1, 1, 0]);
});
