import { vi } from "vitest";

/** Advances the clock of this process, which must be a fake one. */
export function passTime(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}
