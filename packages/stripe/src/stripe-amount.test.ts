import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromStripeAmount, priceProblem, toStripeAmount } from "./stripe-amount.ts";

describe("toStripeAmount", () => {
  it("is inverted by fromStripeAmount", () => {
    const currency = fc.constantFrom("USD", "EUR", "JPY", "KRW", "ISK", "UGX", "HUF", "TWD", "PKR");
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999n }), currency, (amount, code) => {
        const sent = toStripeAmount({ amount, currency: code });
        expect(fromStripeAmount(sent.amount, sent.currency)).toEqual({ amount, currency: code });
      }),
    );
  });
});

it("counts whole ariary as Stripe does", () => {
  expect(toStripeAmount({ amount: 500_000n, currency: "MGA" })).toEqual({ amount: 5_000, currency: "mga" });
  expect(fromStripeAmount(5_000, "mga")).toEqual({ amount: 500_000n, currency: "MGA" });
  expect(priceProblem({ amount: 150n, currency: "MGA" })).toBe(
    "Stripe takes whole ariary of MGA. End the amount in 00.",
  );
});

describe("priceProblem", () => {
  it.each([
    [{ amount: 5_123n, currency: "KWD" }, "Stripe takes amounts of KWD with two decimals. End the amount in 0."],
    [{ amount: 0n, currency: "USD" }, "Stripe takes amounts of 1 to 999999999999 units. Change the amount of USD."],
    [
      { amount: 10n ** 10n, currency: "ISK" },
      "Stripe takes amounts of 1 to 999999999999 units. Change the amount of ISK.",
    ],
    [{ amount: 1n, currency: "usd" }, '"usd" is not a currency. Write three capital letters, such as "USD".'],
  ])("says of %o what to write", (price, problem) => {
    expect(priceProblem(price)).toBe(problem);
    expect(() => toStripeAmount(price)).toThrow(problem);
  });

  it("finds nothing wrong with prices that Stripe takes", () => {
    expect(priceProblem({ amount: 99_999_999n, currency: "USD" })).toBeUndefined();
    expect(priceProblem({ amount: 5_120n, currency: "KWD" })).toBeUndefined();
  });
});
