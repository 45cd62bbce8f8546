import { expect, it } from "vitest";
import { UsageDrains } from "./in-flight.ts";

it("grants as many slots as its limit, and each again once it is released", () => {
  const slots = new UsageDrains(2);
  expect([slots.begin(), slots.begin(), slots.begin(), slots.begin()]).toEqual([true, true, false, false]);
  slots.end();
  expect([slots.begin(), slots.begin()]).toEqual([true, false]);
});
