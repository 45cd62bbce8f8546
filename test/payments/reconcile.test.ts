import { memoryBalanceStore } from "@tollgate/core";
import {
  type Difference,
  memoryPaymentStore,
  type Payment,
  type PaymentEvent,
  type ProviderMovement,
  paymentProblems,
  reconcile,
} from "@tollgate/payments";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { acmePay } from "../../examples/custom-provider/src/acme-pay.ts";
import { startAcmeServer } from "./acme-server.ts";
import { dispute, paid, secrets } from "./counter.ts";

const hour = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hour);

/** Payments of a provider over stores in memory, with what the provider has moved. */
async function openBooks() {
  const acme = await startAcmeServer();
  onTestFinished(() => acme.close());
  const provider = acmePay({ baseURL: acme.baseURL, apiKey: "key", live: false, ...secrets });
  const balances = memoryBalanceStore();
  const store = memoryPaymentStore({ balances });
  const apply = (event: PaymentEvent) => store.apply(event, { refundsBelowZero: true });
  return {
    acme,
    provider,
    balances,
    store,
    apply,
    move(type: ProviderMovement["type"], reference: string, amount: bigint, at = ago(2)): void {
      acme.movements.push({ id: crypto.randomUUID(), type, reference, amount: { amount, currency: "USD" }, at });
    },
    /** A payment that the provider received and told of. */
    buy(account = "ann"): Payment {
      const product = { id: "small", price: { amount: 1_000n, currency: "USD" }, credit: 1_000n, bonus: 100n };
      const id = crypto.randomUUID();
      const common = { id, account, provider: "acme-pay", live: false, kind: "checkout", savesMethod: false } as const;
      store.begin({ ...common, product }, { maxOpen: 1_000 });
      apply(paid(id, { receipt: { reference: `ref_${id}`, at: ago(2), tax: 0n } }));
      this.move("payment", `ref_${id}`, 1_000n);
      const payment = store.find({ id });
      if (payment === undefined) throw new Error("The payment must be known.");
      return payment;
    },
    refund(payment: Payment, amount: bigint): void {
      const money = { amount, currency: "USD" };
      const common = { id: crypto.randomUUID(), provider: "acme-pay", live: false, at: ago(1) };
      const charged = payment.product.price;
      apply({ ...common, type: "payment.refunded", reference: `ref_${payment.id}`, refunded: money, charged });
    },
    async differences(from = ago(24), to = ago(-1)): Promise<readonly Difference[]> {
      const found: Difference[] = [];
      const onDifference = (difference: Difference) => void found.push(difference);
      const totals = await reconcile({ provider, store, balances, from, to, onDifference });
      expect(totals.differences).toBe(found.length);
      for (const { sentence } of found) expect(sentence).toMatch(/^[A-Z].*\.$/);
      return found;
    },
  };
}

describe("reconcile", () => {
  it("finds none after payments, refunds and disputes", async () => {
    const books = await openBooks();
    for (let count = 0; count < 5; count++) books.buy(`customer-${count}`);
    const refunded = books.buy();
    books.refund(refunded, 300n);
    books.move("refund", `ref_${refunded.id}`, -300n);
    const disputed = books.buy();
    books.apply({ ...dispute(disputed.id, "dispute.opened"), at: ago(1) });
    books.move("dispute", `ref_${disputed.id}`, -1_000n);
    const won = books.buy();
    books.apply({ ...dispute(won.id, "dispute.won"), at: ago(1) });
    books.move("dispute", `ref_${won.id}`, -1_000n);
    books.move("dispute_reversal", `ref_${won.id}`, 1_000n);
    expect(await books.differences()).toEqual([]);
    const totals = await reconcile({ ...books, from: ago(24), to: ago(-1), onDifference: () => undefined });
    // Each payment has two credits; the dispute that was won never took anything.
    expect(totals).toEqual({ movements: 12, payments: 8, credits: 16, differences: 0 });
  });

  it("names each kind of difference", async () => {
    const books = await openBooks();
    books.move("payment", "ref_foreign", 700n);
    const unreceived = books.buy();
    books.acme.movements.splice(-1);
    const twice = books.buy();
    books.move("payment", `ref_${twice.id}`, 1_000n);
    const less = books.buy();
    books.acme.movements.splice(-1);
    books.move("payment", `ref_${less.id}`, 900n);
    const unreturned = books.buy();
    books.move("refund", `ref_${unreturned.id}`, -500n);
    const unmoved = books.buy();
    books.refund(unmoved, 400n);
    books.balances.credit({ id: "payment:ref_none", account: "bob", amount: 5n, reason: "twice" });
    const again = books.buy();
    books.balances.credit({ id: `payment:ref_${again.id}:2`, account: "ann", amount: 1_000n, reason: "again" });
    const found = await books.differences();
    const summary = found.map(({ kind, reference }) => `${kind} ${reference}`).sort();
    expect(summary).toEqual(
      [
        "not_a_payment ref_foreign",
        `not_received ref_${unreceived.id}`,
        `received_twice ref_${twice.id}`,
        `other_amount ref_${less.id}`,
        `returned_otherwise ref_${unreturned.id}`,
        `returned_otherwise ref_${unmoved.id}`,
        "credit_without_payment ref_none",
        `credit_without_payment ref_${again.id}`,
      ].sort(),
    );
  });

  it("finds a credit and a take-back that the ledger does not have", async () => {
    const books = await openBooks();
    const payment = books.buy();
    books.refund(payment, 500n);
    books.move("refund", `ref_${payment.id}`, -500n);
    const { entries } = books.balances;
    books.balances.entries = (query) => {
      const page = entries.call(books.balances, query);
      return { ...page, entries: page.entries.filter(({ kind, lots }) => kind === "debit" || lots !== undefined) };
    };
    expect((await books.differences()).map(({ kind }) => kind)).toEqual(["credited_wrongly"]);
    books.balances.entries = (query) => {
      const page = entries.call(books.balances, query);
      return { ...page, entries: page.entries.filter(({ kind }) => kind === "credit") };
    };
    expect((await books.differences()).map(({ kind }) => kind)).toEqual(["taken_back_wrongly"]);
  });

  it("reads a refund of a payment before the range as a part of what was refunded", async () => {
    const books = await openBooks();
    const payment = books.buy();
    books.refund(payment, 500n);
    books.move("refund", `ref_${payment.id}`, -200n, ago(2));
    books.move("refund", `ref_${payment.id}`, -300n, ago(1));
    expect(await books.differences(ago(1.5))).toEqual([]);
    books.move("refund", `ref_${payment.id}`, -300n, ago(1));
    expect(await books.differences(ago(1.5))).toMatchObject([{ kind: "returned_otherwise" }]);
  });

  it("goes through a long range in parts", async () => {
    const books = await openBooks();
    for (let count = 0; count < 5; count++) books.buy();
    const moved = books.acme.movements.length;
    const totals = await reconcile({
      ...books,
      from: ago(24 * 40),
      to: ago(-1),
      onDifference: (each) => expect(each).toBeUndefined(),
    });
    expect(totals).toMatchObject({ movements: moved, payments: 5, differences: 0 });
    // 40 days are six windows, and the five movements in them three pages of one window, which two of them see.
    expect(books.acme.requests).toBeGreaterThan(6);
  });
});

it("paymentProblems tells of payments with a problem, held or paid, and of events that have waited for an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const books = await openBooks();
  const problems = paymentProblems(books.store);
  const payment = books.buy();
  books.apply(dispute(crypto.randomUUID(), "dispute.opened"));
  expect(await problems()).toEqual([]);
  vi.setSystemTime(Date.now() + hour);
  expect(await problems()).toMatchObject([expect.stringContaining("has waited for its payment since")]);
  const common = { ...payment, id: crypto.randomUUID() };
  books.store.begin(common, { maxOpen: 100 });
  books.apply(paid(common.id, { paid: { amount: 1n, currency: "USD" } }));
  expect(await problems()).toMatchObject([
    `The payment ${common.id} is held. The provider received 0.01 USD in place of 10.00 USD. Nothing was credited: refund it at the provider.`,
    expect.any(String),
  ]);
  books.apply(paid(payment.id, { receipt: { reference: "ref_second", at: new Date(), tax: 0n } }));
  expect(await problems()).toContain(
    `The payment ${payment.id} is paid. It was paid a second time, as ref_second. Refund that payment at the provider.`,
  );
});
