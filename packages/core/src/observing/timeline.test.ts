import { describe, expect, it } from "vitest";
import { Timeline } from "./timeline.ts";

const bytesOf = (timeline: Timeline): number => Buffer.byteLength(JSON.stringify(timeline.steps));

describe("a timeline", () => {
  it("has the steps in order with their times since the start", () => {
    const timeline = new Timeline(Date.now());
    timeline.add("admitted");
    timeline.add("attempt", "acme/up");
    expect(timeline.steps).toEqual([
      { step: "admitted", at: expect.any(Number) },
      { step: "attempt", at: expect.any(Number), detail: "acme/up" },
    ]);
  });

  it.each(["x".repeat(1_000), "\u0001".repeat(200), "日本".repeat(100), '"\\'.repeat(100), ""])(
    "has at most 2 KiB as JSON, and always the answer: %j",
    (detail) => {
      // A start at the epoch gives times with many digits.
      const timeline = new Timeline(0);
      for (let count = 0; count < 100; count++) timeline.add("attempt.failed", detail);
      timeline.add("answered");
      timeline.add("settled");
      expect(bytesOf(timeline)).toBeLessThanOrEqual(2_048);
      expect(timeline.steps.length).toBeGreaterThan(3);
      expect(timeline.steps.map(({ step }) => step)).toContain("answered");
    },
  );
});
