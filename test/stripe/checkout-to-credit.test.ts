import { describe, expect, it } from "vitest";
import { decide, dispute, pay, payLater, refund } from "../support/stripe/actions.ts";
import { startCounter } from "./counter-under-test.ts";
import { storeKinds } from "./stores.ts";

const ok = (statuses: readonly number[]) => statuses.length > 0 && statuses.every((status) => status === 200);

describe.each(Object.keys(storeKinds))("on the stores in %s", (stores) => {
  it("credits a paid checkout once, however often Stripe tells of it", async () => {
    const { ask, balances, open, posted, stripe } = await startCounter({ stores });
    pay(stripe.account, await open("100"), { tax: 1_900 });
    const told = stripe.webhooks.waiting.slice();
    expect(ok(await stripe.webhooks.deliver())).toBe(true);
    for (const event of told) stripe.webhooks.emit(event);
    expect(ok(await stripe.webhooks.deliver())).toBe(true);
    expect(await posted()).toBe("110");
    const { entries } = await balances.entries({ account: "customer-17", limit: 10 });
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["credit", 100_000_000_000n],
      ["credit", 10_000_000_000n],
    ]);
    expect((await ask("GET", "/payments")).body.data).toMatchObject([
      { state: "paid", product: "100", tax: { amount: "19.00", currency: "USD" }, receipt_url: expect.any(String) },
    ]);
  });

  it("takes back the share that is refunded, and what a dispute holds until it is won", async () => {
    const { balances, open, posted, stripe } = await startCounter({ stores });
    const { id } = pay(stripe.account, await open("100"));
    const balanceAfter = async (act: () => void) => {
      act();
      expect(ok(await stripe.webhooks.deliver())).toBe(true);
      return posted();
    };
    expect(await balanceAfter(() => undefined)).toBe("110");
    expect(await balanceAfter(() => void refund(stripe.account, id, 2_500))).toBe("82.5");
    const opened = dispute(stripe.account, id, { amount: 5_000 });
    expect(await balanceAfter(() => undefined)).toBe("27.5");
    expect(await balanceAfter(() => decide(stripe.account, opened.id, "won"))).toBe("82.5");
    expect(await balanceAfter(() => void refund(stripe.account, id))).toBe("0");
    expect(await balances.verify()).toEqual([]);
  });

  it("credits a method that takes days when the bank has paid", async () => {
    const { ask, open, posted, stripe } = await startCounter({ stores });
    const [paid, failed] = [await open(), await open()];
    for (const session of [paid, failed]) pay(stripe.account, session, { later: true });
    await stripe.webhooks.deliver();
    const states = async () => (await ask("GET", "/payments")).body.data?.map(({ state }) => state);
    expect([await posted(), await states()]).toEqual(["0", ["processing", "processing"]]);
    payLater(stripe.account, paid, true);
    payLater(stripe.account, failed, false);
    await stripe.webhooks.deliver();
    expect(await posted()).toBe("25");
    expect((await states())?.toSorted()).toEqual(["ended", "paid"]);
  });

  it("keeps events in any order until they can be applied", async () => {
    const { open, posted, store, stripe } = await startCounter({ stores });
    const { id } = pay(stripe.account, await open());
    refund(stripe.account, id, 500);
    const events = stripe.webhooks.waiting.slice().reverse();
    stripe.webhooks.drop();
    for (const event of events) stripe.webhooks.emit(event);
    expect(ok(await stripe.webhooks.deliver())).toBe(true);
    expect(await posted()).toBe("20");
    expect(await store.waitingEvents({ limit: 10 })).toEqual([]);
  });
});
