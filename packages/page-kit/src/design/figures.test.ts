import { fc, test } from "@fast-check/vitest";
import { expect, it } from "vitest";
import { amountText, priceOf } from "./figures.ts";

const us = { locale: "en-US" };

it.each([
  ["0", "$0.00"],
  ["12", "$12.00"],
  ["1234.567", "$1,234.57"],
  ["0.1", "$0.10"],
  ["0.0134", "$0.013"],
  ["0.000000001", "$0.000000001"],
  ["-0.00064812", "-$0.00065"],
  ["900719925474099.123456789", "$900,719,925,474,099.12"],
])("writes %s as %s", (amount, text) => {
  expect(amountText(amount, "USD", us)).toBe(text);
});

it.each([
  ["1234.5", "$1,234.50"],
  ["900719925474099.123456789", "$900,719,925,474,099.123456789"],
])("writes every digit of %s", (amount, text) => {
  expect(amountText(amount, "USD", { ...us, exact: true })).toBe(text);
});

it("writes a unit of the host behind the number, and no unit when there is none", () => {
  expect(amountText("3.5", "credits", us)).toBe("3.50 credits");
  expect(amountText("3.5", null, us)).toBe("3.50");
});

test.prop([fc.bigInt({ min: 1n, max: 10n ** 18n })])("never writes an amount as zero", (nano) => {
  const digits = String(nano).padStart(10, "0");
  expect(amountText(`${digits.slice(0, -9)}.${digits.slice(-9)}`, "USD", us)).toMatch(/[1-9]/);
});

it.each([
  [1_000_000, "1.25", "1.25"],
  [1, "0.000000001", "0.000000000000001"],
  [0, "3", "0"],
  [6_054, "0.3", "0.0018162"],
  [9_007_199_254_740_991, "15", "135107988821.114865"],
])("%i tokens at %s a million cost %s", (tokens, price, amount) => {
  expect(priceOf(tokens, price)).toBe(amount);
});
