import { afterEach, beforeEach, vi } from "vitest";

/** Gives each test of a file a fake clock and fake timers. Streams and promises run normally. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => void vi.useRealTimers());
}

/** Advances the clock and runs the timers. */
export const pass = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

/** Advances the clock without running timers, as for a process that is suspended and resumed. */
export const freeze = (milliseconds: number): void => {
  vi.setSystemTime(Date.now() + milliseconds);
};
