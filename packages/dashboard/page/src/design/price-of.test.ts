import { expect, it } from "vitest";
import { priceOf } from "./price-of.ts";

it.each([
  [1_000_000, "1.25", "1.25"],
  [1, "0.000000001", "0.000000000000001"],
  [0, "3", "0"],
  [6_054, "0.3", "0.0018162"],
  [9_007_199_254_740_991, "15", "135107988821.114865"],
])("%i tokens at %s a million cost %s", (tokens, price, amount) => {
  expect(priceOf(tokens, price)).toBe(amount);
});
