import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Retries } from "./retries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("retries after 50 ms, then with a growing delay of at most 5 s, with a jitter of 25%", async () => {
  const at: number[] = [];
  const retries = new Retries(async () => at.push(Date.now()) < 0);
  const startedAt = Date.now();
  retries.add("one");
  await vi.advanceTimersByTimeAsync(60_000);
  const pauses = at.map((time, index) => time - (at[index - 1] ?? startedAt));
  expect(pauses.length).toBeGreaterThan(12);
  for (const [index, pause] of pauses.entries()) {
    const meant = Math.min(5_000, 50 * 2 ** index);
    expect(pause).toBeGreaterThanOrEqual(Math.floor(0.75 * meant));
    expect(pause).toBeLessThanOrEqual(Math.ceil(1.25 * meant));
  }
});

it.each([
  ["at least 75%", 0, 37.5],
  ["at most 125%", 1, 62.5],
])("waits %s of a pause", async (_, random, pause) => {
  vi.spyOn(Math, "random").mockReturnValue(random);
  const attempt = vi.fn(async () => false);
  new Retries(attempt).add("one");
  await vi.advanceTimersByTimeAsync(Math.floor(pause) - 1);
  expect(attempt).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  expect(attempt).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(Math.floor(2 * pause) - 2);
  expect(attempt).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3);
  expect(attempt).toHaveBeenCalledTimes(2);
});

it("waits for nothing once all have succeeded, and begins again with the next", async () => {
  const attempt = vi.fn(async () => true);
  const retries = new Retries(attempt);
  for (let round = 1; round <= 2; round++) {
    retries.add("one");
    await vi.advanceTimersByTimeAsync(63);
    expect(attempt).toHaveBeenCalledTimes(round);
    expect(vi.getTimerCount()).toBe(0);
  }
});

it("makes one attempt at a time while the store is unavailable, and eight at once afterwards", async () => {
  let [down, running, most, done] = [true, 0, 0, 0];
  const retries = new Retries(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 3));
    running--;
    if (!down) done++;
    return !down;
  });
  for (let item = 0; item < 5_000; item++) retries.add(item);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(most).toBe(1);
  down = false;
  await vi.advanceTimersByTimeAsync(6_250 + (5_000 / 8) * 3 + 3);
  expect([most, done]).toEqual([8, 5_000]);
});

it("does not delay others for an item that never succeeds, and returns to 50 ms after a success", async () => {
  const done: string[] = [];
  let tries = 0;
  const retries = new Retries(async (item: string) => {
    if (item === "never") return ++tries < 0;
    done.push(item);
    return true;
  });
  retries.add("never");
  await vi.advanceTimersByTimeAsync(60_000);
  for (const item of ["a", "b"]) retries.add(item);
  await vi.advanceTimersByTimeAsync(6_250);
  expect(done.sort()).toEqual(["a", "b"]);
  expect(tries).toBeGreaterThan(12);
});

it("does not keep the process alive", () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  new Retries(async () => false).add("one");
  expect(timers()).toBe(before);
});
