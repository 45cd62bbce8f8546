import { describe, expect, it } from "vitest";
import { IdleMap } from "./memory-limiter.ts";

describe("a map that removes idle entries", () => {
  it("has a size in proportion to the active entries", () => {
    const map = new IdleMap<number>((endsAt, now) => endsAt <= now);
    let greatest = 0;
    for (let now = 0; now < 10_000; now++) {
      map.set(`subject-${now}`, now + 100, now);
      greatest = Math.max(greatest, map.size);
    }
    // A hundred entries are active at any time, and a full rotation takes half as many calls as there are entries.
    expect(greatest).toBeLessThan(400);
  });

  it("keeps every active entry", () => {
    const map = new IdleMap<number>((endsAt, now) => endsAt <= now);
    map.set("busy", Number.POSITIVE_INFINITY, 0);
    for (let now = 0; now < 1_000; now++) map.set(`subject-${now}`, now, now);
    expect(map.get("busy")).toBe(Number.POSITIVE_INFINITY);
    expect(map.size).toBeLessThan(10);
  });
});
