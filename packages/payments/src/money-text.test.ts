import { expect, it } from "vitest";
import { moneyText, moneyWithCurrency } from "./money-text.ts";

it.each([
  [1_000n, "USD", "10.00"],
  [-5n, "USD", "-0.05"],
  [1_000n, "JPY", "1000"],
  [1_000n, "KWD", "1.000"],
  [280_000n, "PKR", "2800.00"],
  [400_000n, "HUF", "4000.00"],
  [5n, "XXX", "0.05"],
])("%s minor units of %s are %s", (amount, currency, text) => {
  expect(moneyText({ amount, currency })).toBe(text);
  expect(moneyWithCurrency({ amount, currency })).toBe(`${text} ${currency}`);
});
