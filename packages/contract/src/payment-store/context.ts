import { equal } from "node:assert/strict";
import type { BalanceStore } from "@tollgate/core/store";
import type {
  ApplyResult,
  BeginResult,
  EventRules,
  NewPayment,
  Payment,
  PaymentEvent,
  PaymentStore,
  Product,
} from "@tollgate/payments";
import { type BalanceContext, balanceContext } from "../balance-store/context.ts";
import type { OpenedWithDefaults } from "../suite.ts";

/** A PaymentStore, and the BalanceStore of the same client of the database. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly balances: BalanceStore;
}

/** The context of a case: the stores, a new account, and shortcuts for events of its payments. */
export interface PaymentContext extends OpenedWithDefaults<PaymentStores> {
  /** Shortcuts for the balance store of the first client, with the account of this case. */
  readonly ledger: BalanceContext;
  readonly account: string;
  /** A payment of the account for 10.00 USD, which gives 1,000 nano-units and a bonus of 100. */
  newPayment(overrides?: Partial<NewPayment>): NewPayment;
  /** Begins a payment, which must be new, and returns it. */
  begin(overrides?: Partial<NewPayment>): Promise<Payment>;
  /** Begins a payment of which the provider reports that it was paid. */
  paid(overrides?: Partial<NewPayment>): Promise<Payment>;
  apply(event: PaymentEvent, rules?: EventRules): Promise<ApplyResult["outcome"]>;
  /** Reads a payment, which must exist. */
  find(id: string): Promise<Payment>;
  expectBalance(posted: bigint): Promise<void>;
}

/** Limits that no case reaches by accident. */
export const limits = { maxOpen: 100 };

/** The rules by which refunds may make a balance negative. */
export const belowZero: EventRules = { refundsBelowZero: true };

/** What the payments of the cases buy, unless overridden. */
export const product: Product = {
  id: "small",
  price: { amount: 1_000n, currency: "USD" },
  credit: 1_000n,
  bonus: 100n,
};

/** Creates the context of a case with a new account. */
export function paymentContext(opened: OpenedWithDefaults<PaymentStores>): PaymentContext {
  const { store, peer, wait } = opened;
  const ledger = balanceContext({ store: store.balances, peer: peer.balances, wait });
  const { account } = ledger;
  const newPayment = (overrides: Partial<NewPayment> = {}): NewPayment => ({
    id: crypto.randomUUID(),
    account,
    provider: "test",
    live: false,
    kind: "checkout",
    savesMethod: false,
    product,
    ...overrides,
  });
  const begin = async (overrides?: Partial<NewPayment>) =>
    begun(await store.payments.begin(newPayment(overrides), limits));
  const apply = async (event: PaymentEvent, rules = belowZero) => (await store.payments.apply(event, rules)).outcome;
  const find = async (id: string) => present(await store.payments.find({ id }));
  return {
    ...opened,
    ledger,
    account,
    newPayment,
    begin,
    apply,
    find,
    async paid(overrides) {
      const payment = await begin(overrides);
      equal(await apply(paidEvent(payment)), "applied");
      return find(payment.id);
    },
    expectBalance: (posted) => ledger.expectBalance(posted, 0n),
  };
}

/** Returns a payment that began. Fails for a result without a new one. */
export function begun(result: BeginResult): Payment {
  equal(result.outcome, "begun");
  if (result.outcome !== "begun") throw new Error("The payment must begin.");
  return result.payment;
}

function present(payment: Payment | undefined): Payment {
  if (payment === undefined) throw new Error("The payment must be known.");
  return payment;
}

/** The provider's reference of a payment of the cases. */
export const referenceOf = ({ id }: Pick<Payment, "id">): string => `ref_${id}`;

/** A time by the provider's clock, in seconds after some moment. */
export const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1_000);

type EventOf<Type extends PaymentEvent["type"]> = Extract<PaymentEvent, { type: Type }>;

const common = ({ provider, live }: Pick<Payment, "provider" | "live">, seconds: number) => ({
  id: `evt_${crypto.randomUUID()}`,
  provider,
  live,
  at: at(seconds),
});

/** The event of a payment that was paid as it was written, without tax. */
export function paidEvent(
  payment: NewPayment,
  overrides: Partial<EventOf<"payment.paid">> = {},
): EventOf<"payment.paid"> {
  const receipt = { reference: referenceOf(payment), at: at(0), tax: 0n };
  return {
    ...common(payment, 0),
    type: "payment.paid",
    payment: payment.id,
    paid: payment.product.price,
    receipt,
    ...overrides,
  };
}

/** The event of a payment that ended without being paid. */
export function endedEvent(
  payment: NewPayment,
  overrides: Partial<EventOf<"payment.ended">> = {},
): EventOf<"payment.ended"> {
  return { ...common(payment, 0), type: "payment.ended", payment: payment.id, reason: "expired", ...overrides };
}

/** The event of a payment that takes days. */
export const processingEvent = (payment: NewPayment): EventOf<"payment.processing"> => ({
  ...common(payment, 0),
  type: "payment.processing",
  payment: payment.id,
});

/** The event of refunds that are together `amount` cents, at a time in seconds. */
export function refundEvent(
  payment: NewPayment,
  { amount, seconds, tax = 0n }: { readonly amount: bigint; readonly seconds: number; readonly tax?: bigint },
): EventOf<"payment.refunded"> {
  const { price } = payment.product;
  return {
    ...common(payment, seconds),
    type: "payment.refunded",
    reference: referenceOf(payment),
    refunded: { ...price, amount },
    charged: { ...price, amount: price.amount + tax },
  };
}

/** An event of a dispute over `amount` cents, at a time in seconds. */
export function disputeEvent(
  payment: NewPayment,
  state: "opened" | "won" | "lost",
  {
    amount,
    seconds,
    dispute = "dp_1",
  }: { readonly amount: bigint; readonly seconds: number; readonly dispute?: string },
): EventOf<"dispute.opened" | "dispute.won" | "dispute.lost"> {
  const { price } = payment.product;
  return {
    ...common(payment, seconds),
    type: `dispute.${state}`,
    reference: referenceOf(payment),
    dispute,
    disputed: { ...price, amount },
    charged: price,
  };
}
