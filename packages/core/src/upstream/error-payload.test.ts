import { describe, expect, it } from "vitest";
import { readDuration, readRetryAfter } from "./error-payload.ts";

const read = (headers: Record<string, string>) => readRetryAfter((name) => headers[name]);

describe("readRetryAfter", () => {
  it.each([
    [{ "retry-after": "7" }, 7],
    [{ "retry-after": "0.2" }, 1],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 2],
    [{ "retry-after": "Sat, 21 Nov 2026 10:01:00 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" }, 60],
    [{ "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "99999999999999999999" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("reads %j as %s", (headers, seconds) => {
    expect(read(headers)).toBe(seconds);
  });

  it("compares a date with the local clock if the upstream sends no date", () => {
    expect(read({ "retry-after": new Date(Date.now() + 30_000).toUTCString() })).toBeOneOf([29, 30]);
  });
});

describe("readDuration", () => {
  it.each([
    ["34s", 34],
    ["0.5s", 1],
    ["34", undefined],
    [34, undefined],
  ])("reads %j as %s", (value, seconds) => {
    expect(readDuration(value)).toBe(seconds);
  });
});
