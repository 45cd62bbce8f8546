import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AttemptThrottle } from "./attempt-throttle.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const isLimited = (throttle: AttemptThrottle) => throttle.isLimited(performance.now());

/** A throttle of which so many look-ups have failed. */
async function failed(limit: number, failures: number): Promise<AttemptThrottle> {
  const throttle = new AttemptThrottle(limit, 5);
  for (let at = 0; at < failures; at++) await fail(throttle);
  return throttle;
}

async function fail(throttle: AttemptThrottle): Promise<void> {
  await throttle.enter();
  throttle.leave(true);
}

it("is limited from its limit of failures on, until a minute after the first one", async () => {
  const throttle = await failed(3, 2);
  expect(isLimited(throttle)).toBe(false);
  vi.advanceTimersByTime(30_000);
  await fail(throttle);
  expect(isLimited(throttle)).toBe(true);
  vi.advanceTimersByTime(29_999);
  expect(isLimited(throttle)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isLimited(throttle)).toBe(false);
});

it("begins a new minute with the first failure after the last one", async () => {
  const throttle = await failed(2, 1);
  vi.advanceTimersByTime(60_000);
  await fail(throttle);
  vi.advanceTimersByTime(59_999);
  await fail(throttle);
  expect(isLimited(throttle)).toBe(true);
});

it("does not extend the minute by failures while it is limited", async () => {
  const throttle = await failed(1, 1);
  vi.advanceTimersByTime(59_000);
  await fail(throttle);
  vi.advanceTimersByTime(1_000);
  expect(isLimited(throttle)).toBe(false);
});

it("counts no look-up that succeeded", async () => {
  const throttle = new AttemptThrottle(1, 5);
  await throttle.enter();
  throttle.leave(false);
  expect(isLimited(throttle)).toBe(false);
  expect(await throttle.enter()).toBe(true);
});

it("is limited for as long as another process says", () => {
  const throttle = new AttemptThrottle(1, 5);
  throttle.limitFor(5_000);
  vi.advanceTimersByTime(4_999);
  expect(isLimited(throttle)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isLimited(throttle)).toBe(false);
});

it("allows five look-ups a second while it is limited", async () => {
  const throttle = await failed(1, 1);
  const enterAll = () => Promise.all(Array.from({ length: 7 }, () => throttle.enter()));
  const fiveOfSeven = [true, true, true, true, true, false, false];
  expect(await enterAll()).toEqual(fiveOfSeven);
  vi.advanceTimersByTime(999);
  expect(await enterAll()).toEqual(Array(7).fill(false));
  vi.advanceTimersByTime(1);
  expect(await enterAll()).toEqual(fiveOfSeven);
});

it("lets wait what could exceed the limit, and wakes one for each look-up that ends", async () => {
  const throttle = new AttemptThrottle(2, 5);
  const entered: number[] = [];
  for (let at = 0; at < 4; at++) void throttle.enter().then(() => entered.push(at));
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([0, 1]);
  throttle.leave(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([0, 1, 2]);
  throttle.leave(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([0, 1, 2, 3]);
});

it("wakes all that wait once it is limited, of which five go on", async () => {
  const throttle = new AttemptThrottle(1, 5);
  const entered: boolean[] = [];
  for (let at = 0; at < 9; at++) void throttle.enter().then((may) => entered.push(may));
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([true]);
  throttle.leave(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([true, true, true, true, true, true, false, false, false]);
});
