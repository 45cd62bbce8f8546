import { expect, it } from "vitest";
import { measures, valueText } from "./measures.ts";

it.each([0.0000001, 0.000000001, 0.00000000025])(
  "writes %d on the axis of a chart with a digit that is not zero",
  (value) => {
    expect(valueText(measures.cost, value, "USD", true)).toMatch(/[1-9]/);
  },
);
