import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, vi } from "vitest";

const faked = ["Date", "performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
let frozenMs = 0;

/** Gives each test of a file fake clocks and fake timers. Streams and promises run normally. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...faked] });
    frozenMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + frozenMs);
  });
  afterEach(() => void vi.useRealTimers());
}

/** Advances the clock and runs the timers. */
export const pass = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

/** Advances the clocks without running timers, as for a process that is suspended and resumed. */
export const freeze = (milliseconds: number): void => {
  frozenMs += milliseconds;
  vi.setSystemTime(Date.now() + milliseconds);
};

const maxTurns = 10_000;

/**
 * Runs the event loop without moving the clock until the condition holds. Use it before `pass` when a request must first reach
 * the provider: its body is read in real turns of the loop, during which a clock that moves would run on.
 */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn++) {
    if (turn === maxTurns) throw new Error(`The condition did not hold within ${maxTurns} turns of the event loop.`);
    await nextTurn();
  }
}
