import { fc, test } from "@fast-check/vitest";
import { memoryBalanceStore } from "@tollgate/core";
import { expect } from "vitest";
import { memoryPaymentStore } from "./memory-payment-store.ts";
import type { NewPayment, Payment } from "./payment.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { dueBack } from "./take-back.ts";

const reference = "ref-1";

const least = (one: bigint, other: bigint): bigint => (one > other ? other : one);

/** A payment, and what happens to it in the order of the provider's clock. */
const history = fc.record({
  price: fc.bigInt(1n, 10_000n),
  tax: fc.bigInt(0n, 500n),
  credit: fc.bigInt(1n, 10n ** 12n),
  bonus: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 11n)),
  steps: fc.array(
    fc.record({
      type: fc.constantFrom("refund" as const, "opened" as const, "won" as const, "lost" as const),
      percent: fc.bigInt(1n, 120n),
      dispute: fc.constantFrom("d1", "d2"),
    }),
    { maxLength: 8 },
  ),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

function newPayment({ price, credit, bonus }: History): NewPayment {
  const product = { id: "small", price: { amount: price, currency: "USD" }, credit, bonus };
  return { id: "p1", account: "a1", provider: "test", live: false, kind: "checkout", savesMethod: false, product };
}

function eventsOf({ price, tax, steps }: History): readonly PaymentEvent[] {
  const charged = { amount: price + tax, currency: "USD" };
  let refunded = 0n;
  const common = (at: number) => ({ id: `event-${at}`, provider: "test", live: false, at: new Date(at * 1_000) });
  const paid = { amount: price, currency: "USD" };
  const receipt = { reference, at: new Date(0), tax };
  return [
    { ...common(0), type: "payment.paid", payment: "p1", paid, receipt },
    ...steps.map(({ type, percent, dispute }, index): PaymentEvent => {
      const part = (charged.amount * percent) / 100n;
      if (type !== "refund") {
        const disputed = { ...charged, amount: part };
        return { ...common(index + 1), type: `dispute.${type}`, reference, dispute, disputed, charged };
      }
      refunded = refunded + part > charged.amount ? charged.amount : refunded + part;
      return {
        ...common(index + 1),
        type: "payment.refunded",
        reference,
        refunded: { ...charged, amount: refunded },
        charged,
      };
    }),
  ];
}

function start(given: History) {
  const balances = memoryBalanceStore();
  const store = memoryPaymentStore({ balances });
  store.begin(newPayment(given), { maxOpen: 5 });
  const current = (): Payment => {
    const payment = store.find({ id: "p1" });
    if (payment === undefined) throw new Error("The payment must exist.");
    return payment;
  };
  return { balances, store, current };
}

test.prop([history, fc.boolean(), fc.array(fc.bigInt(1n, 10n ** 12n), { maxLength: 8 })])(
  "never takes back more than was credited, and the ledger has what the payment says",
  (given, refundsBelowZero, charges) => {
    const { balances, store, current } = start(given);
    for (const [index, event] of eventsOf(given).entries()) {
      store.apply(event, { refundsBelowZero });
      const spent = charges[index];
      const left = balances.balance("a1").posted;
      if (spent !== undefined && left > 0n) {
        balances.debit({ id: `spent-${index}`, account: "a1", amount: [spent, left].reduce(least), reason: "spent" });
      }
      const { takenBack, product } = current();
      const due = dueBack(current());
      expect(takenBack.credit).toBeLessThanOrEqual(due.credit);
      expect(takenBack.bonus).toBeLessThanOrEqual(due.bonus);
      if (refundsBelowZero) expect(takenBack).toEqual(due);
      else expect(balances.balance("a1").posted).toBeGreaterThanOrEqual(0n);
      const { entries } = balances.entries({ account: "a1", limit: 1_000 });
      const posted = entries.filter((entry) => entry.reference?.startsWith(`payment:${reference}`));
      const sum = posted.reduce((total, { amount }) => total + amount, 0n);
      expect(sum).toBe(product.credit + product.bonus - takenBack.credit - takenBack.bonus);
    }
    expect(balances.verify()).toEqual([]);
  },
);

test.prop([history, fc.infiniteStream(fc.nat())])(
  "comes to the same payment and balance in any order, with any event twice",
  (given, random) => {
    const events = eventsOf(given);
    const inOrder = start(given);
    for (const event of events) inOrder.store.apply(event, { refundsBelowZero: true });
    const shuffled = start(given);
    const rank = new Map([...events, ...events].map((event) => [event, random.next().value]));
    const disorder = [...events, ...events].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
    for (const event of disorder) shuffled.store.apply(event, { refundsBelowZero: true });
    const facts = ({ state, refunded, disputes, takenBack, problem }: Payment) => ({
      state,
      refunded,
      takenBack,
      problem,
      disputes: [...disputes].sort((one, other) => (one.reference < other.reference ? -1 : 1)),
    });
    expect(facts(shuffled.current())).toEqual(facts(inOrder.current()));
    expect(shuffled.balances.balance("a1").posted).toBe(inOrder.balances.balance("a1").posted);
    expect(shuffled.store.waitingEvents({ limit: 10 })).toEqual([]);
  },
);

test.prop([history])("gives back all of it when every dispute is won and nothing was refunded", (given) => {
  const { balances, store, current } = start(given);
  const events = eventsOf(given).filter(({ type }) => type !== "payment.refunded");
  for (const event of events) store.apply(event, { refundsBelowZero: false });
  for (const { reference: dispute, amount } of current().disputes) {
    const charged = { amount: given.price + given.tax, currency: "USD" };
    const disputed = { ...charged, amount };
    const won = { id: `won-${dispute}`, provider: "test", live: false, at: new Date(100_000) } as const;
    store.apply({ ...won, type: "dispute.won", reference, dispute, disputed, charged }, { refundsBelowZero: false });
  }
  expect(current().takenBack).toEqual({ credit: 0n, bonus: 0n });
  expect(balances.balance("a1").posted).toBe(given.credit + given.bonus);
});
