import { ProviderUnavailable } from "@tollgate/payments";
import { describe, expect, it } from "vitest";
import { decodeForm } from "../support/stripe/form-body.ts";
import type { MethodBehavior } from "../support/stripe/stripe-account.ts";
import { paymentOf, startProvider } from "./provider-under-test.ts";

const method = { customer: "cus_1", method: "pm_1" };

async function startTopUp(behavior: MethodBehavior) {
  const under = await startProvider();
  under.stripe.account.methods.set(method.method, behavior);
  return { ...under, payment: paymentOf({ kind: "top_up" }) };
}

describe("charging a saved method", () => {
  it("charges the written price once, and reports it by an event", async () => {
    const { last, payment, provider, read, stripe } = await startTopUp("pays");
    const results = [await provider.charge(payment, method), await provider.charge(payment, method)];
    expect(results).toEqual([{ outcome: "accepted" }, { outcome: "accepted" }]);
    expect(stripe.account.charges()).toHaveLength(1);
    expect(decodeForm(stripe.requests[0]?.form ?? "")).toMatchObject({
      amount: "2500",
      currency: "usd",
      customer: "cus_1",
      payment_method: "pm_1",
      off_session: "true",
      confirm: "true",
    });
    expect(await read(last("payment_intent.succeeded"))).toMatchObject({
      event: {
        type: "payment.paid",
        payment: payment.id,
        paid: { amount: 2_500n, currency: "USD" },
        receipt: { tax: 0n },
      },
    });
  });

  it("accepts a method that takes days", async () => {
    const { payment, provider } = await startTopUp("pays_later");
    expect(await provider.charge(payment, method)).toEqual({ outcome: "accepted" });
  });

  it.each([
    ["declined", "Your card has insufficient funds."],
    ["needs_authentication", expect.stringMatching(/^The bank asks you to confirm the payment\./)],
  ] as const)("is refused with a reason for the customer: %s", async (behavior, reason) => {
    const { last, payment, provider, read } = await startTopUp(behavior);
    expect(await provider.charge(payment, method)).toEqual({ outcome: "refused", reason });
    expect(await read(last("payment_intent.payment_failed"))).toMatchObject({
      event: { type: "payment.ended", payment: payment.id, reason: "failed", message: reason },
    });
  });

  it("is refused when the customer has removed the method", async () => {
    const { payment, provider } = await startTopUp("pays");
    expect(await provider.charge(payment, { ...method, method: "pm_gone" })).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("cannot be charged any more"),
    });
  });

  it.each(["cut", "cut_after", "refused", "limited"] as const)("charges once when a request is %s", async (fault) => {
    const { payment, provider, stripe } = await startTopUp("pays");
    stripe.faults.next(fault);
    await provider.charge(payment, method).catch(() => undefined);
    expect(await provider.charge(payment, method)).toEqual({ outcome: "accepted" });
    expect(stripe.account.charges()).toHaveLength(1);
  });

  it("is unavailable, and never charges twice, when Stripe failed after the charge", async () => {
    const { last, payment, provider, read, stripe } = await startTopUp("pays");
    stripe.faults.next("lost");
    await expect(provider.charge(payment, method)).rejects.toThrow(ProviderUnavailable);
    await expect(provider.charge(payment, method)).rejects.toThrow(ProviderUnavailable);
    expect(stripe.account.charges()).toHaveLength(1);
    expect(await read(last("payment_intent.succeeded"))).toMatchObject({ event: { payment: payment.id } });
  });
});
