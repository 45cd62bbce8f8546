import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { expect, it } from "vitest";
import { memoryPaymentStore } from "./memory-payment-store.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { payments } from "./payments.ts";
import { topUpPaymentId } from "./top-ups/top-up-payment-id.ts";

const fails = () => Promise.reject(new Error("No test asks the provider."));
const provider: PaymentProvider = {
  name: "test",
  live: false,
  priceProblem: ({ amount }) => (amount < 50n ? "The least is 50 cents." : undefined),
  checkout: fails,
  charge: fails,
  readEvent: fails,
  async *movements() {},
};

function messageOf(overrides: object): string {
  const balances = memoryBalanceStore();
  const gateway = createGateway({
    keys: memoryKeyStore(),
    balances,
    models: [],
    plans: [{ id: "p", billing: "prepaid" }],
  });
  const products = [{ id: "small", price: { amount: 1_000, currency: "USD" }, credit: "10" }];
  const authorize = () => undefined;
  try {
    const options = { gateway, store: memoryPaymentStore({ balances }), provider, products, authorize, ...overrides };
    void payments(options).stop();
    return "";
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error);
  }
}

it("payments lists all problems of its options in one error", () => {
  const products = [
    { id: "small", price: { amount: 10.5, currency: "usd" }, credit: "0", bonus: 5 },
    { id: "small", price: { amount: 49, currency: "USD" }, credit: "1" },
    { id: "large", price: { amount: 5_000, currency: "USD" }, credit: "10000000000" },
  ];
  const message = messageOf({ products, authorise: 1, authorize: undefined, refundsBelowZero: "yes" });
  for (const problem of [
    "payments cannot start:",
    "`products (small).price.amount` must be a whole number above 0",
    "`products (small).price.currency` must be a currency of ISO 4217",
    "`products (small).credit` must be above 0",
    "`products (small).bonus` must be a decimal string",
    "`products (small).price` cannot be charged. The least is 50 cents.",
    "`products (large).credit` must be above 0 and at most",
    "`authorise` is not a member of the options of payments. Did you mean authorize?",
    "`authorize` is missing",
    "`refundsBelowZero` must be true or false",
  ]) {
    expect(message).toContain(problem);
  }
});

it("payments needs a provider and a product, and starts with them", () => {
  expect(messageOf({ provider: {} })).toContain(
    "`provider` must be a payment provider, not an object without priceProblem",
  );
  expect(messageOf({ products: [] })).toContain("`products` must have at least one product");
  expect(messageOf({})).toBe("");
});

it("the id of a top-up payment is a UUID that depends on the top-up and the payment before", async () => {
  const first = await topUpPaymentId({ id: "t1" });
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await topUpPaymentId({ id: "t1" })).toBe(first);
  const others = [await topUpPaymentId({ id: "t2" }), await topUpPaymentId({ id: "t1", last: "p1" })];
  expect(new Set([first, ...others]).size).toBe(3);
});
