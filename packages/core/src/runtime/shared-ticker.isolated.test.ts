import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SharedTicker, Watched } from "./shared-ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function tickerOn(userAgent: string | undefined): Promise<SharedTicker> {
  vi.stubGlobal("navigator", userAgent === undefined ? undefined : { userAgent });
  const { SharedTicker } = await import("./shared-ticker.ts");
  return new SharedTicker(400);
}

/** Counts its ticks. */
const counter = (): Watched & { ticks: number } => ({
  position: -1,
  ticks: 0,
  tick() {
    this.ticks++;
  },
});

it.each([
  ["Workers", "Cloudflare-Workers", 2],
  ["Node 22", "Node.js/22", 1],
  ["a runtime without a navigator", undefined, 1],
])("watches two objects on %s", async (_name, userAgent, timers) => {
  const ticker = await tickerOn(userAgent);
  const [first, second] = [counter(), counter()];
  ticker.add(first);
  ticker.add(second);
  expect(vi.getTimerCount()).toBe(timers);
  vi.advanceTimersByTime(300);
  ticker.delete(first);
  vi.advanceTimersByTime(100);
  expect([first.ticks, second.ticks]).toEqual([3, 4]);
});

it("stops the timer of an object on Workers when it is not watched any more", async () => {
  const ticker = await tickerOn("Cloudflare-Workers");
  const watched = counter();
  ticker.add(watched);
  ticker.delete(watched);
  expect(vi.getTimerCount()).toBe(0);
});
