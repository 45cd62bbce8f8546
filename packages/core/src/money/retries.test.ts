import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Retries } from "./retries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tries again after 50 ms, then less and less often, at least every 5 s with a quarter of jitter", async () => {
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

it("asks a store that is down for one at a time, and works a backlog off at eight at once when it is back", async () => {
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

it("lets one that never succeeds keep no other waiting, and goes back to 50 ms once one succeeded", async () => {
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

it("keeps no process alive", () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  new Retries(async () => false).add("one");
  expect(timers()).toBe(before);
});
