import type { ReadEvent } from "@tollgate/payments";
import { stripeApiVersion, stripeEvents } from "@tollgate/stripe";
import { describe, expect, it } from "vitest";
import { readPage } from "../docs/markdown.ts";
import { decide, dispute, expire, failRefund, pay, payLater, refund } from "../support/stripe/actions.ts";
import { sign } from "../support/stripe/webhooks.ts";
import { type ProviderUnderTest, paymentOf, signingSecret, startProvider } from "./provider-under-test.ts";

const dollars = (cents: bigint) => ({ amount: cents, currency: "USD" });

/** Opens a page, on which the customer pays. */
async function startPaid(paying: Parameters<typeof pay>[2] = {}, options: Parameters<typeof startProvider>[0] = {}) {
  const under = await startProvider(options);
  const payment = paymentOf({ savesMethod: true });
  const { reference: session } = await under.provider.checkout(payment);
  const intent = pay(under.stripe.account, session, paying);
  return { ...under, payment, session, intent };
}

const eventOf = (reading: ReadEvent) => (reading.outcome === "event" ? reading.event : reading);

describe("events of a checkout", () => {
  it("report a payment with its receipt, its invoice and the saved method", async () => {
    const { payment, intent, last, read, stripe } = await startPaid({}, { invoiceCreation: true });
    const event = last("checkout.session.completed");
    expect(await read(event)).toEqual({
      outcome: "event",
      event: {
        id: event.id,
        provider: "stripe",
        live: false,
        at: new Date(event.created * 1_000),
        type: "payment.paid",
        payment: payment.id,
        paid: dollars(2_500n),
        receipt: {
          reference: intent.id,
          at: new Date(event.created * 1_000),
          tax: 0n,
          receiptUrl: stripe.account.charge(intent.latest_charge ?? "").receipt_url,
          invoiceUrl: expect.stringContaining("https://invoice.stripe.com/i/in_"),
        },
        method: { customer: intent.customer, method: intent.payment_method },
      },
    });
  });

  it("report the amount without the tax", async () => {
    const { last, read } = await startPaid({ tax: 475 });
    expect(eventOf(await read(last("checkout.session.completed")))).toMatchObject({
      paid: dollars(2_500n),
      receipt: { tax: 475n },
    });
  });

  it("report a method that takes days when it begins, and when it ends", async () => {
    const { last, payment, read, session, stripe } = await startPaid({ later: true });
    const common = { payment: payment.id };
    expect(eventOf(await read(last("checkout.session.completed")))).toMatchObject({
      ...common,
      type: "payment.processing",
    });
    payLater(stripe.account, session, true);
    expect(eventOf(await read(last("checkout.session.async_payment_succeeded")))).toMatchObject({
      ...common,
      type: "payment.paid",
    });
    payLater(stripe.account, session, false);
    expect(eventOf(await read(last("checkout.session.async_payment_failed")))).toMatchObject({
      ...common,
      type: "payment.ended",
      reason: "failed",
    });
  });

  it("report a page that has expired", async () => {
    const { last, provider, read, stripe } = await startProvider();
    const payment = paymentOf();
    expire(stripe.account, (await provider.checkout(payment)).reference);
    expect(eventOf(await read(last("checkout.session.expired")))).toMatchObject({
      type: "payment.ended",
      payment: payment.id,
      reason: "expired",
    });
  });

  it("are not reported a second time by the PaymentIntent", async () => {
    const { last, read } = await startPaid();
    expect(await read(last("payment_intent.succeeded"))).toEqual({ outcome: "ignored" });
    expect(await read(last("charge.succeeded"))).toEqual({ outcome: "ignored" });
  });

  it("come again when Stripe does not answer who has saved a method, and are reported when a key may not ask", async () => {
    const { last, read, stripe } = await startPaid();
    const event = last("checkout.session.completed");
    stripe.faults.next("refused", 2, "/v1/payment_intents");
    await expect(read(event)).rejects.toThrow("Stripe answered with 500");
    stripe.faults.next("forbidden", 1, "/v1/payment_intents");
    expect(eventOf(await read(event))).toMatchObject({ type: "payment.paid", receipt: { tax: 0n } });
  });
});

describe("events of refunds and disputes", () => {
  it("report the total of all refunds, less those that failed", async () => {
    const { intent, last, read, stripe } = await startPaid({ tax: 500 });
    refund(stripe.account, intent.id, 600);
    const common = { type: "payment.refunded", reference: intent.id, charged: dollars(3_000n) };
    expect(eventOf(await read(last("charge.refunded")))).toMatchObject({ ...common, refunded: dollars(600n) });
    const second = refund(stripe.account, intent.id);
    expect(eventOf(await read(last("charge.refunded")))).toMatchObject({ ...common, refunded: dollars(3_000n) });
    failRefund(stripe.account, second.id);
    expect(eventOf(await read(last("refund.failed")))).toMatchObject({ ...common, refunded: dollars(600n) });
  });

  it.each(["won", "lost"] as const)("report a dispute that is opened and %s", async (status) => {
    const { intent, last, read, stripe } = await startPaid();
    const opened = dispute(stripe.account, intent.id, { amount: 2_000 });
    const common = { reference: intent.id, dispute: opened.id, disputed: dollars(2_000n), charged: dollars(2_500n) };
    for (const type of ["charge.dispute.created", "charge.dispute.funds_withdrawn"])
      expect(eventOf(await read(last(type)))).toMatchObject({ ...common, type: "dispute.opened" });
    decide(stripe.account, opened.id, status);
    expect(eventOf(await read(last("charge.dispute.closed")))).toMatchObject({ ...common, type: `dispute.${status}` });
  });

  it("report an inquiry only when it becomes a dispute", async () => {
    const { intent, last, read, stripe } = await startPaid();
    const opened = dispute(stripe.account, intent.id, { inquiry: true });
    expect(await read(last("charge.dispute.created"))).toEqual({ outcome: "ignored" });
    decide(stripe.account, opened.id, "needs_response");
    expect(eventOf(await read(last("charge.dispute.funds_withdrawn")))).toMatchObject({ type: "dispute.opened" });
    decide(stripe.account, opened.id, "warning_closed");
    expect(await read(last("charge.dispute.closed"))).toEqual({ outcome: "ignored" });
  });

  it("come again when Stripe does not answer of which charge they are", async () => {
    const { intent, last, read, stripe } = await startPaid();
    dispute(stripe.account, intent.id);
    stripe.faults.isDown = true;
    await expect(read(last("charge.dispute.created"))).rejects.toThrow("Stripe did not answer");
  });
});

describe("events of others", () => {
  it("are ignored: of another gateway, mode, account or type, and without a marker", async () => {
    const { intent, last, payment, read, session, stripe } = await startPaid();
    refund(stripe.account, intent.id, 100);
    dispute(stripe.account, intent.id);
    const completed = last("checkout.session.completed");
    const others = [
      { ...completed, livemode: true },
      { ...completed, account: "acct_1Other" },
      { ...completed, type: "customer.created" },
      { ...completed, data: { object: { ...completed.data.object, metadata: {} } } },
      { ...completed, data: { object: { id: session, client_reference_id: payment.id } } },
    ];
    for (const event of others) expect(await read(event)).toEqual({ outcome: "ignored" });
    const another = await startProvider({ gateway: "staging", stripe: stripe.client });
    for (const type of ["checkout.session.completed", "charge.refunded", "charge.dispute.created"])
      expect(await another.read(last(type))).toEqual({ outcome: "ignored" });
  });

  it("are read for the connected account that is configured", async () => {
    const { last, read, stripe } = await startPaid({}, { account: "acct_1Own" });
    const completed = last("checkout.session.completed");
    expect(stripe.requests.every(({ account }) => account === "acct_1Own")).toBe(true);
    expect(await read(completed)).toEqual({ outcome: "ignored" });
    expect(eventOf(await read({ ...completed, account: "acct_1Own" }))).toMatchObject({ type: "payment.paid" });
  });
});

describe("events that are refused", () => {
  const problemOf = async ({ read }: ProviderUnderTest, event: object, header?: string) => {
    const reading = await read(event, header);
    return reading.outcome === "refused" ? reading.problem : reading.outcome;
  };

  it("name the member that is missing or of another type", async () => {
    const under = await startPaid();
    const completed = under.last("checkout.session.completed");
    const object = completed.data.object;
    const cases: [object, string][] = [
      [{ ...completed, data: { object: { ...object, amount_total: "2500" } } }, "amount_total"],
      [{ ...completed, data: { object: { ...object, total_details: null } } }, "total_details"],
      [{ ...completed, data: { object: { ...object, payment_intent: 7 } } }, "payment_intent"],
      [{ ...completed, data: null }, "data"],
      [{ ...completed, created: "now" }, "created"],
      [{ object: "event" }, "id, type, created, livemode, data"],
    ];
    for (const [event, place] of cases)
      expect(await problemOf(under, event)).toContain(`The event has no valid ${place}. Choose another version`);
    for (const odd of [[], null, "text", 7])
      expect(await problemOf(under, { ...completed, data: { object: odd } })).toBe("ignored");
    expect(await problemOf(under, { ...completed, type: "charge.dispute.created", data: { object: null } })).toContain(
      "no valid",
    );
  });

  it("say why a signature is not valid, and never show a secret", async () => {
    const under = await startPaid();
    const event = under.last("checkout.session.completed");
    const body = JSON.stringify(event);
    const seconds = Math.floor(Date.now() / 1_000);
    const problems = [
      await problemOf(under, event, ""),
      await problemOf(under, event, "v1=00"),
      await problemOf(under, event, sign(body, ["whsec_another"])),
      await problemOf(under, event, sign(`${body} `, [signingSecret])),
      await problemOf(under, event, sign(body, [signingSecret], seconds - 301)),
      await problemOf(under, event, sign(body, [signingSecret]).replace("v1=", "v0=")),
    ];
    expect(problems.map((problem) => problem.slice(0, 30))).toEqual([
      "The event cannot be read: No s",
      "The event cannot be read: Unab",
      "No signature is valid for a si",
      "No signature is valid for a si",
      "The signature is older than 5 ",
      "The event cannot be read: No s",
    ]);
    expect(problems.join()).not.toContain(signingSecret.slice(0, 12));
  });

  it("take the next secret too while one is rotated", async () => {
    const next = "whsec_N5yXc7MdH2sJf9GpAe4UZk3vB8qLw1TnR";
    const { last, read } = await startPaid({}, { webhookSecrets: [signingSecret, next] });
    const event = last("checkout.session.completed");
    for (const secret of [signingSecret, next])
      expect((await read(event, sign(JSON.stringify(event), [secret]))).outcome).toBe("event");
  });
});

it("are those that the guide lists, with the version of the API", () => {
  const guide = readPage("docs/guides/stripe.md");
  const listed = [...guide.matchAll(/^ +\| `([a-z_.]+)` +\|/gm)].map(([, name]) => name);
  expect(listed).toEqual(stripeEvents);
  expect(guide).toContain(`the API version \`${stripeApiVersion}\``);
});
