import { fc, it as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { LruMap } from "./lru-map.ts";

describe("LruMap", () => {
  it("removes the entry that was read or written least recently", () => {
    const map = new LruMap<number>({ max: 2 });
    map.set("a", 1);
    map.set("b", 2);
    map.get("a");
    map.set("c", 3);
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });

  it("does not count has() as a use", () => {
    const map = new LruMap<number>({ max: 2 });
    map.set("a", 1);
    map.set("b", 2);
    expect(map.has("a")).toBe(true);
    map.set("c", 3);
    expect(map.has("a")).toBe(false);
  });

  it("forgets an entry after its time, which reading does not extend", () => {
    let now = 0;
    const map = new LruMap<number>({ max: 2, ttlMs: 100, now: () => now });
    map.set("a", 1);
    now = 99;
    expect(map.get("a")).toBe(1);
    now = 100;
    expect([map.has("a"), map.get("a")]).toEqual([false, undefined]);
    map.set("a", 2);
    expect(map.get("a")).toBe(2);
  });

  it("reports each entry that leaves it once", () => {
    let now = 0;
    const removed: [string, number][] = [];
    const map = new LruMap<number>({
      max: 2,
      ttlMs: 100,
      now: () => now,
      onRemove: (key, value) => removed.push([key, value]),
    });
    map.set("overwritten", 1);
    map.set("overwritten", 2);
    map.set("second", 3);
    map.set("third", 4);
    map.delete("second");
    map.delete("second");
    now = 100;
    map.get("third");
    map.set("last", 5);
    map.clear();
    map.clear();
    expect(removed).toEqual([
      ["overwritten", 1],
      ["overwritten", 2],
      ["second", 3],
      ["third", 4],
      ["last", 5],
    ]);
  });

  const steps = fc.array(fc.tuple(fc.constantFrom("get", "set", "delete"), fc.constantFrom("a", "b", "c", "d")));
  property.prop([steps])("has what a list in the order of use has", (script) => {
    const map = new LruMap<number>({ max: 3 });
    let used: { key: string; value: number }[] = [];
    script.forEach(([step, key], value) => {
      const known = used.find((entry) => entry.key === key);
      if (step === "get") expect(map.get(key)).toBe(known?.value);
      else map[step](key, value);
      const others = used.filter((entry) => entry !== known);
      const next = step === "set" ? { key, value } : known;
      used = (step === "delete" || next === undefined ? others : [...others, next]).slice(-3);
    });
    for (const key of ["a", "b", "c", "d"]) expect(map.has(key)).toBe(used.some((entry) => entry.key === key));
  });
});
