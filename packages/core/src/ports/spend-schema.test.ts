import { expect, it } from "vitest";
import { isTimeZone } from "../options/leaves.ts";
import { checkedSpendLimit } from "./limits-schema.ts";

it("checks limits", () => {
  expect(["UTC", "Europe/Berlin", "+02:00", "Mars/Base"].map(isTimeZone)).toEqual([true, true, false, false]);
  const limit = { limit: 5n, window: "day" } as const;
  expect(checkedSpendLimit(limit)).toEqual(limit);
  expect(checkedSpendLimit({ ...limit, limit: "0.000000005" })).toEqual(limit);
  expect(() => checkedSpendLimit({ ...limit, limit: -1n })).toThrow(RangeError);
  expect(() => checkedSpendLimit({ ...limit, timezone: "Mars/Base" })).toThrow("IANA time zone");
  expect(() => checkedSpendLimit({ ...limit, window: JSON.parse('"year"') })).toThrow(
    'must be "day" or "week" or "month" or "total"',
  );
});
