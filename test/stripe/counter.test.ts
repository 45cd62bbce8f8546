import { describe, expect, it, onTestFinished, vi } from "vitest";
import { decide, dispute, expire, pay, refund } from "../support/stripe/actions.ts";
import { type CounterUnderTest, startCounter } from "./counter-under-test.ts";

const statesOf = async ({ ask }: CounterUnderTest) =>
  (await ask("GET", "/payments")).body.data?.map(({ state }) => state);

describe("a checkout", () => {
  it("answers 503 while Stripe is down, and then makes the page for the same payment", async () => {
    const under = await startCounter();
    const { ask, stripe } = under;
    stripe.faults.isDown = true;
    for (const _ of [1, 2]) {
      const { status, headers, body } = await ask("POST", "/checkout", { product: "25" });
      expect([status, headers.get("retry-after"), body.error?.code]).toEqual([
        503,
        "5",
        "payment_provider_unavailable",
      ]);
    }
    expect(await statesOf(under)).toEqual(["pending"]);
    stripe.faults.isDown = false;
    const { status } = await ask("POST", "/checkout", { product: "25" });
    expect([status, await statesOf(under)]).toEqual([200, ["open"]]);
    expect(new Set(stripe.requests.map(({ key }) => key)).size).toBe(1);
  });

  it("makes one page when its answer was lost", async () => {
    const under = await startCounter();
    under.stripe.faults.next("cut_after", 2);
    expect((await under.ask("POST", "/checkout", { product: "25" })).status).toBe(503);
    await under.open();
    expect([under.stripe.account.sessions().length, await statesOf(under)]).toEqual([1, ["open"]]);
  });

  it("is one of at most five that are open", async () => {
    const { ask, open, stripe } = await startCounter();
    const sessions: string[] = [];
    for (let count = 0; count < 5; count += 1) sessions.push(await open());
    expect((await ask("POST", "/checkout", { product: "25" })).status).toBe(429);
    expire(stripe.account, sessions[2] ?? "");
    await stripe.webhooks.deliver();
    expect((await ask("POST", "/checkout", { product: "25" })).status).toBe(200);
  });
});

describe("a notification", () => {
  it("gets 503 while the store is down, and credits once when Stripe repeats it", async () => {
    const { asked, open, posted, store, stripe } = await startCounter();
    pay(stripe.account, await open());
    asked.store = { ...asked.store, apply: () => Promise.reject(new Error("The database is down.")) };
    expect(await stripe.webhooks.deliver()).toContain(503);
    expect(await posted()).toBe("0");
    asked.store = store;
    expect(await stripe.webhooks.deliver()).toEqual([200]);
    expect(await posted()).toBe("25");
  });

  it("gets 503 while Stripe does not answer what it is about, and is applied when it does", async () => {
    const { open, posted, stripe } = await startCounter();
    const { id } = pay(stripe.account, await open());
    await stripe.webhooks.deliver();
    dispute(stripe.account, id);
    stripe.faults.isDown = true;
    expect(await stripe.webhooks.deliver()).toEqual([503, 503]);
    stripe.faults.isDown = false;
    expect(await stripe.webhooks.deliver()).toEqual([200, 200]);
    expect(await posted()).toBe("0");
  });

  it("of a payment that is not known is kept, and applied when it is", async () => {
    const first = await startCounter();
    const { account, webhooks } = first.stripe;
    // A database that was restored from before the checkout.
    const restored = await startCounter({ stripe: { stripe: first.stripe.client } });
    webhooks.endpoints.splice(0, 1, ...restored.stripe.webhooks.endpoints);
    const session = await first.open();
    pay(account, session);
    expect(new Set(await webhooks.deliver())).toEqual(new Set([200]));
    expect(await restored.store.waitingEvents({ limit: 10 })).toMatchObject([{ event: { type: "payment.paid" } }]);
    const { client_reference_id: id } = account.session(session);
    const payment = await first.store.find({ id: id ?? "" });
    if (payment === undefined) throw new Error("The payment must be known.");
    await restored.store.begin(payment, { maxOpen: 5 });
    account.emit("checkout.session.completed", account.session(session));
    expect(await webhooks.deliver()).toEqual([200]);
    expect([await restored.posted(), await restored.store.waitingEvents({ limit: 10 })]).toEqual(["25", []]);
  });

  it("of another amount or currency is held, and credits nothing", async () => {
    const under = await startCounter();
    const { events, open, posted, stripe } = under;
    pay(stripe.account, await open(), { instead: { amount_total: 100 } });
    pay(stripe.account, await open(), { instead: { currency: "inr" } });
    pay(stripe.account, await open(), { tax: 475, instead: { amount_total: 2_500 } });
    await stripe.webhooks.deliver();
    expect([await posted(), await statesOf(under)]).toEqual(["0", ["held", "held", "held"]]);
    expect(events.flatMap((event) => ("payment" in event ? [event.payment.problem] : [])).filter(Boolean)).toEqual([
      expect.stringContaining("received 1.00 USD in place of 25.00 USD"),
      expect.stringContaining("received 25.00 INR in place of 25.00 USD"),
      expect.stringContaining("received 20.25 USD in place of 25.00 USD"),
    ]);
  });

  it("of test mode, or of another gateway, changes nothing", async () => {
    const live = await startCounter({ livemode: true });
    const session = await live.open();
    const { client_reference_id: payment, metadata } = live.stripe.account.session(session);
    const test = await startCounter({ stripe: { gateway: "staging" } });
    test.stripe.webhooks.endpoints.splice(0, 1, ...live.stripe.webhooks.endpoints);
    const own = test.stripe.account.session(await test.open());
    test.stripe.account.emit("checkout.session.completed", { ...own, client_reference_id: payment, metadata });
    pay(test.stripe.account, own.id);
    expect(new Set(await test.stripe.webhooks.deliver())).toEqual(new Set([200]));
    expect([await live.posted(), await statesOf(live)]).toEqual(["0", ["open"]]);
  });
});

describe("what is taken back", () => {
  const startSpent = async (options: Parameters<typeof startCounter>[0] = {}) => {
    const under = await startCounter(options);
    const { id } = pay(under.stripe.account, await under.open());
    await under.stripe.webhooks.deliver();
    await under.balances.debit({ id: "spent", account: "customer-17", amount: 20_000_000_000n, reason: "test" });
    return { ...under, intent: id };
  };

  it.each([
    [false, "0"],
    [true, "-20"],
  ])("is at most what is left, or below zero by option: %s", async (refundsBelowZero, left) => {
    const { intent, posted, stripe } = await startSpent({ payments: () => ({ refundsBelowZero }) });
    refund(stripe.account, intent);
    await stripe.webhooks.deliver();
    expect(await posted()).toBe(left);
  });

  it("freezes the account of a dispute by option, until an operator thaws it", async () => {
    const { balances, intent, stripe } = await startSpent({
      payments: ({ balances: freezeOnDispute }) => ({ freezeOnDispute }),
    });
    const opened = dispute(stripe.account, intent);
    await stripe.webhooks.deliver();
    decide(stripe.account, opened.id, "won");
    await stripe.webhooks.deliver();
    const { frozen, posted } = await balances.balance("customer-17");
    expect([frozen?.reason, posted]).toEqual([
      expect.stringMatching(/^The payment \S+ is disputed\.$/),
      5_000_000_000n,
    ]);
  });
});

describe("automatic top-ups", () => {
  it("buy with the method that a customer saved, until the bank refuses", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const under = await startCounter();
    const { ask, balances, events, open, posted, stripe } = under;
    const intent = pay(stripe.account, await open("25", { save_method: true }));
    await stripe.webhooks.deliver();
    expect((await ask("PUT", "/top-up", { product: "100", below: "10.00", max_per_day: 3 })).status).toBe(200);
    await balances.debit({ id: "spent", account: "customer-17", amount: 20_000_000_000n, reason: "test" });
    const runUntil = async (type: string) => {
      vi.advanceTimersByTime(30_000);
      await vi.waitUntil(() => events.some((event) => event.type === type), { timeout: 10_000 });
      await stripe.webhooks.deliver();
    };
    await runUntil("top_up.charged");
    expect(await posted()).toBe("115");
    stripe.account.methods.set(intent.payment_method ?? "", "needs_authentication");
    await balances.debit({ id: "spent again", account: "customer-17", amount: 110_000_000_000n, reason: "test" });
    await runUntil("top_up.failed");
    const { body } = await ask("GET", "/top-up");
    expect(body.top_up?.stopped).toMatchObject({
      reason: expect.stringContaining("The bank asks you to confirm the payment."),
    });
    expect(await posted()).toBe("5");
  });
});
