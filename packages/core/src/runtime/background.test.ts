import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Background } from "./background.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("starts all works once, repeats each in its own time, and stops them for good", async () => {
  const works = [100, 1_000].map((firstWithinMs) => ({ firstWithinMs, run: vi.fn(async () => firstWithinMs) }));
  const background = new Background(works);
  const runs = () => works.map(({ run }) => run.mock.calls.length);
  background.start();
  background.start();
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(549);
  expect(runs()).toEqual([5, 1]);
  background.stop();
  background.start();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs()).toEqual([5, 1]);
});
