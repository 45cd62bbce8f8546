import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BufferBudget, UnreadBytes } from "./buffer-budget.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function unreadUnderTest() {
  const budget = new BufferBudget(100);
  budget.take(1);
  const [onCut, onEnd] = [vi.fn(), vi.fn()];
  return { budget, onCut, onEnd, unread: new UnreadBytes(60, onCut, budget, onEnd) };
}

it("exceeds a budget only above its limit", () => {
  const budget = new BufferBudget(100);
  budget.take(100);
  expect(budget.exceeded).toBe(false);
  budget.take(1);
  expect(budget.exceeded).toBe(true);
});

it("counts bytes until they are read, and remembers when the client last read", () => {
  const { budget, unread } = unreadUnderTest();
  expect([budget.used, unread.lastReadAt]).toEqual([61, 0]);
  vi.advanceTimersByTime(500);
  unread.read(20);
  expect([budget.used, unread.lastReadAt, unread.isHeld]).toEqual([41, 500, true]);
});

it.each(["end", "cut"] as const)("releases the rest once with %s, and counts nothing afterwards", (verb) => {
  const { budget, unread, onCut, onEnd } = unreadUnderTest();
  unread.read(20);
  unread[verb]();
  vi.advanceTimersByTime(500);
  for (const again of ["end", "cut"] as const) unread[again]();
  unread.read(5);
  expect([budget.used, unread.lastReadAt, unread.isHeld]).toEqual([1, 0, false]);
  expect(onEnd).toHaveBeenCalledExactlyOnceWith(unread);
  expect(onCut).toHaveBeenCalledTimes(verb === "cut" ? 1 : 0);
});
