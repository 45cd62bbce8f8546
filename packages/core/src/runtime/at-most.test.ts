import { LRUCache } from "lru-cache";
import { afterEach, expect, it, vi } from "vitest";
import { atMost } from "./at-most.ts";

afterEach(() => void vi.useRealTimers());

it("removes the entry that was read or written least recently, without counting has() as a use", () => {
  const cache = new LRUCache<string, number>(atMost(2));
  cache.set("a", 1);
  cache.set("b", 2);
  expect([cache.get("a"), cache.has("b")]).toEqual([1, true]);
  cache.set("c", 3);
  expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});

it("forgets an entry after its time, which reading does not extend", () => {
  let now = 1_000;
  const cache = new LRUCache<string, number>({ ...atMost(2, 100), perf: { now: () => now } });
  cache.set("a", 1);
  now += 99;
  expect(cache.get("a")).toBe(1);
  now += 2;
  expect([cache.has("a"), cache.get("a")]).toEqual([false, undefined]);
  cache.set("a", 2);
  expect(cache.get("a")).toBe(2);
});

it("keeps entries without a time", () => {
  let now = 1_000;
  const cache = new LRUCache<string, number>({ ...atMost(2), perf: { now: () => now } });
  cache.set("a", 1);
  now += 1e12;
  expect(cache.get("a")).toBe(1);
});

it("starts no timer", () => {
  vi.useFakeTimers();
  const cache = new LRUCache<string, number>(atMost(2, 100));
  cache.set("a", 1);
  expect(cache.get("a")).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("allocates nothing for entries that are not there", () => {
  expect(() => new LRUCache<string, number>(atMost(Number.MAX_SAFE_INTEGER, 100))).not.toThrow();
});
