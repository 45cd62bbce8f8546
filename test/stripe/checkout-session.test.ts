import { ProviderUnavailable } from "@tollgate/payments";
import { stripeApiVersion } from "@tollgate/stripe";
import { describe, expect, it } from "vitest";
import { decodeForm } from "../support/stripe/form-body.ts";
import { paymentOf, startProvider } from "./provider-under-test.ts";

const minutes = (count: number) => count * 60_000;

describe("a page of Stripe Checkout", () => {
  it("is for the written price, marked as of this gateway, without discounts", async () => {
    const { provider, stripe } = await startProvider();
    const payment = paymentOf();
    const page = await provider.checkout(payment);
    const [request] = stripe.requests;
    const metadata = { tollgate_gateway: "tollgate", tollgate_payment: payment.id, tollgate_kind: "checkout" };
    expect(decodeForm(request?.form ?? "")).toEqual({
      mode: "payment",
      client_reference_id: payment.id,
      metadata,
      line_items: {
        0: {
          quantity: "1",
          price_data: { currency: "usd", unit_amount: "2500", product_data: { name: "API credit" } },
        },
      },
      payment_intent_data: { metadata },
      success_url: "https://acme.example/billing?paid",
      cancel_url: "https://acme.example/billing",
      expires_at: String(Math.floor((payment.createdAt.getTime() + minutes(90)) / 1_000)),
      allow_promotion_codes: "false",
      adaptive_pricing: { enabled: "false" },
      automatic_tax: { enabled: "false" },
      invoice_creation: { enabled: "false" },
    });
    expect(request).toMatchObject({ key: payment.id, version: stripeApiVersion });
    expect(page.url).toBe(stripe.account.session(page.reference).url);
  });

  it("has taxes, invoices and a saved method only if they are asked for", async () => {
    const { provider, stripe } = await startProvider({
      automaticTax: true,
      invoiceCreation: true,
      productName: ({ id }) => `Credit ${id}`,
    });
    await provider.checkout(paymentOf({ savesMethod: true }));
    expect(decodeForm(stripe.requests[0]?.form ?? "")).toMatchObject({
      line_items: { 0: { price_data: { tax_behavior: "exclusive", product_data: { name: "Credit 25" } } } },
      payment_intent_data: { setup_future_usage: "off_session" },
      customer_creation: "always",
      automatic_tax: { enabled: "true" },
      invoice_creation: { enabled: "true" },
    });
  });

  it("is made once for a payment, however often it is asked for", async () => {
    const { provider, stripe } = await startProvider();
    const payment = paymentOf();
    const pages = [await provider.checkout(payment), await provider.checkout(payment)];
    expect(pages[1]).toEqual(pages[0]);
    expect(stripe.account.sessions()).toHaveLength(1);
  });

  it.each(["cut", "cut_after", "refused", "limited"] as const)("is made once when a request is %s", async (fault) => {
    const { provider, stripe } = await startProvider();
    stripe.faults.next(fault);
    const payment = paymentOf();
    await provider.checkout(payment).catch(() => undefined);
    await provider.checkout(payment);
    expect(stripe.account.sessions()).toHaveLength(1);
  });

  it("is made with a second key when Stripe would repeat its error for a day", async () => {
    const { provider, stripe } = await startProvider();
    stripe.faults.next("lost");
    const payment = paymentOf();
    const page = await provider.checkout(payment);
    expect(stripe.requests.map(({ key }) => key)).toEqual([payment.id, payment.id, `${payment.id}:again`]);
    expect(stripe.account.sessions().at(-1)?.url).toBe(page.url);
  });

  it("is made with a second key when the host has changed what the page says", async () => {
    const { provider, stripe } = await startProvider({ productName: () => `Credit ${stripe.requests.length}` });
    const payment = paymentOf();
    const first = await provider.checkout(payment);
    expect((await provider.checkout(payment)).reference).not.toBe(first.reference);
  });

  it("is open for an hour or more, also for a payment that began long ago", async () => {
    const { provider, stripe } = await startProvider();
    const payment = paymentOf({ createdAt: new Date(Date.now() - minutes(11 * 60 + 45)) });
    const { expiresAt } = await provider.checkout(payment);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(minutes(59));
    expect(stripe.requests[0]?.key).toBe(`${payment.id}:23`);
  });

  it.each([
    [{ amount: 500n, currency: "JPY" }, "500"],
    [{ amount: 5n, currency: "ISK" }, "500"],
    [{ amount: 5n, currency: "UGX" }, "500"],
    [{ amount: 1_045n, currency: "HUF" }, "1045"],
    [{ amount: 1_045n, currency: "TWD" }, "1045"],
    [{ amount: 5_120n, currency: "KWD" }, "5120"],
  ])("is for %o in Stripe's units", async (price, units) => {
    const { provider, stripe } = await startProvider();
    await provider.checkout(paymentOf({ product: { id: "one", price, credit: 1n, bonus: 0n } }));
    expect(decodeForm(stripe.requests[0]?.form ?? "")).toMatchObject({
      line_items: { 0: { price_data: { unit_amount: units, currency: price.currency.toLowerCase() } } },
    });
  });

  it("names the option when the API key is of the other mode", async () => {
    const { provider } = await startProvider({}, { livemode: true });
    await expect(provider.checkout(paymentOf())).rejects.toThrow(
      "The API key of Stripe is one of live mode, and the option `live` of stripeProvider says false.",
    );
  });
});

describe("Stripe that does not answer", () => {
  it("is unavailable when it is down, and when it forbids the key", async () => {
    const { provider, stripe } = await startProvider();
    stripe.faults.isDown = true;
    await expect(provider.checkout(paymentOf())).rejects.toThrow(ProviderUnavailable);
    stripe.faults.isDown = false;
    stripe.faults.next("forbidden");
    await expect(provider.checkout(paymentOf())).rejects.toThrow(
      /^Stripe answered with 403: the API key may not do this. Give the restricted key this permission. \(request req_\d+\)$/,
    );
  });

  it("is unavailable within 10 seconds when it is slow", async () => {
    const { provider, stripe } = await startProvider();
    stripe.faults.slowMs = 20_000;
    stripe.faults.next("slow", 3);
    const started = performance.now();
    await expect(provider.checkout(paymentOf())).rejects.toThrow(ProviderUnavailable);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
