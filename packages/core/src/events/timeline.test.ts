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

  it("has what the upstream of a failed attempt said, as far as it fits", () => {
    const timeline = new Timeline(0);
    const failed = { failure: "credentials", upstreamStatus: 404, upstreamMessage: 'The model "x" is unknown.' };
    timeline.addFailure(failed);
    timeline.addFailure({ failure: "unreachable" });
    for (let count = 0; count < 100; count++) timeline.addFailure({ ...failed, upstreamMessage: '日"'.repeat(200) });
    timeline.add("answered");
    const at = expect.any(Number);
    expect(timeline.steps.slice(0, 3)).toEqual([
      { step: "attempt.failed", at, detail: "credentials", status: 404, message: 'The model "x" is unknown.' },
      { step: "attempt.failed", at, detail: "unreachable" },
      { step: "attempt.failed", at, detail: "credentials", status: 404, message: '日"'.repeat(150) },
    ]);
    expect(timeline.steps.at(-2)).toEqual({ step: "attempt.failed", at, detail: "credentials", status: 404 });
    expect(bytesOf(timeline)).toBeLessThanOrEqual(2_048);
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
