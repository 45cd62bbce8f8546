import { vi } from "vitest";

/** Lets time pass on the clock of this process, which must be a fake one. */
export function passTime(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}
