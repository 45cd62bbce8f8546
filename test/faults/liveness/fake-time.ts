import { afterEach, beforeEach, vi } from "vitest";

/** Gives each test of a file a clock and timers that only it moves; streams and promises go on by themselves. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => void vi.useRealTimers());
}

/** Lets so much time pass, with all that happens meanwhile. */
export const pass = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

/** Lets so much time pass in which nothing runs, as for a process that is stopped and then goes on. */
export const freeze = (milliseconds: number): void => {
  vi.setSystemTime(Date.now() + milliseconds);
};
