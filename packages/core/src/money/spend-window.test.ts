import { expect, it } from "vitest";
import { spendWindowAt } from "./spend-window.ts";

const windowAt = (window: "day" | "week" | "month" | "total", timezone: string | undefined, at: string) => {
  const { startsAt, resetsAt } = spendWindowAt(
    timezone === undefined ? { window } : { window, timezone },
    Date.parse(at),
  );
  return [startsAt, resetsAt].map(
    (time) => time !== undefined && new Date(time).toISOString().replace(":00.000Z", "Z"),
  );
};

it.each([
  ["day", undefined, "2026-03-05T23:59:59.999Z", "2026-03-05T00:00Z", "2026-03-06T00:00Z"],
  ["day", "Europe/Berlin", "2026-03-05T23:00:00Z", "2026-03-05T23:00Z", "2026-03-06T23:00Z"],
  // A day of 23 hours, and one of 25.
  ["day", "Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z"],
  ["day", "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
  // Midnight is skipped in Cairo on this day.
  ["day", "Africa/Cairo", "2026-04-24T12:00:00Z", "2026-04-23T22:00Z", "2026-04-24T21:00Z"],
  ["day", "Pacific/Kiritimati", "2026-01-01T10:00:00Z", "2026-01-01T10:00Z", "2026-01-02T10:00Z"],
  ["week", undefined, "2026-11-22T23:59:00Z", "2026-11-16T00:00Z", "2026-11-23T00:00Z"],
  ["week", "America/New_York", "2026-11-23T04:59:00Z", "2026-11-16T05:00Z", "2026-11-23T05:00Z"],
  ["week", undefined, "2026-11-23T00:00:00Z", "2026-11-23T00:00Z", "2026-11-30T00:00Z"],
  ["month", "Asia/Kolkata", "2026-12-31T18:30:00Z", "2026-12-31T18:30Z", "2027-01-31T18:30Z"],
  ["month", undefined, "2028-02-29T12:00:00Z", "2028-02-01T00:00Z", "2028-03-01T00:00Z"],
] as const)("a %s in %s at %s is from %s to %s", (window, timezone, at, from, to) => {
  expect(windowAt(window, timezone, at)).toEqual([from, to]);
});

it("the window total has no end", () => {
  expect(spendWindowAt({ window: "total" }, Date.now())).toEqual({ startsAt: 0 });
});

it.each(["day", "week", "month"] as const)(
  "the %s after another begins where that one ends, in both directions",
  (window) => {
    const limit = { window, timezone: "Asia/Kolkata" };
    const first = spendWindowAt(limit, Date.parse("2026-05-15T12:00:00Z"));
    const reset = first.resetsAt ?? expect.fail("The window has no end.");
    expect(spendWindowAt(limit, reset - 1)).toBe(first);
    expect(spendWindowAt(limit, first.startsAt)).toBe(first);
    expect(spendWindowAt(limit, reset).startsAt).toBe(reset);
    expect(spendWindowAt(limit, first.startsAt - 1).resetsAt).toBe(first.startsAt);
    expect(spendWindowAt(limit, reset - 1)).toEqual(first);
  },
);

it("windows of other lengths and zones at the same time differ", () => {
  const at = "2026-06-10T20:00:00Z";
  const windows = (["day", "week", "month"] as const).flatMap((window) => [
    windowAt(window, undefined, at)[0],
    windowAt(window, "Asia/Tokyo", at)[0],
  ]);
  expect(windows).toEqual([
    "2026-06-10T00:00Z",
    "2026-06-10T15:00Z",
    "2026-06-08T00:00Z",
    "2026-06-07T15:00Z",
    "2026-06-01T00:00Z",
    "2026-05-31T15:00Z",
  ]);
});
