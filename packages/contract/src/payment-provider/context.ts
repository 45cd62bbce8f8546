import { deepEqual, equal } from "node:assert/strict";
import { memoryBalanceStore } from "@tollgate/core";
import {
  type MemoryPaymentStore,
  memoryPaymentStore,
  type NewPayment,
  type Payment,
  type PaymentEvent,
  type PaymentProvider,
  type PaymentStore,
  payments,
} from "@tollgate/payments";
import { begun, limits, product } from "../payment-store/context.ts";

/** A notification as an HTTP request has it. Names of headers are in lower case. */
export interface Notification {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How a notification is made. `genuine`: as the provider makes it now. `unsigned`: without a signature. `empty_secret`: signed
 * with an empty secret. `other_secret`: signed with the secret of another endpoint. `old`: signed an hour ago. `tampered`: genuine,
 * with another body. `other_gateway`: genuine, of a payment that is not of this gateway. `unreadable`: signed rightly, with a body
 * whose members have other types than the provider documents.
 */
export type Signing =
  | "genuine"
  | "unsigned"
  | "empty_secret"
  | "other_secret"
  | "old"
  | "tampered"
  | "other_gateway"
  | "unreadable";

/** A provider that is created for one case, and the notifications that it would receive. */
export interface OpenedPaymentProvider {
  readonly provider: PaymentProvider;
  /** Makes the notification by which the provider tells of an event. */
  sign(event: PaymentEvent, how: Signing): Notification | Promise<Notification>;
  readonly close?: () => void | Promise<void>;
}

/** The context of a case: the provider, stores, and the endpoint for notifications. */
export interface PaymentProviderContext {
  readonly provider: PaymentProvider;
  readonly store: MemoryPaymentStore;
  sign(event: PaymentEvent, how?: Signing): Promise<Notification>;
  read(notification: Notification): ReturnType<PaymentProvider["readEvent"]>;
  /** Begins a payment of a new account, of this provider. */
  begin(overrides?: Partial<NewPayment>): Promise<Payment>;
  find(payment: Payment): Payment;
  /** Sends a notification to the endpoint, by default over the store of the case, and returns the status. */
  send(notification: Notification, store?: PaymentStore): Promise<number>;
  /** Fails unless this is what the account of a payment has, in nano-units, in a ledger that is right. */
  expectPosted(payment: Payment, posted: bigint): void;
}

/** Opens a provider and runs one case. */
export async function runWithPaymentProvider(
  create: () => OpenedPaymentProvider | Promise<OpenedPaymentProvider>,
  check: (context: PaymentProviderContext) => Promise<void>,
): Promise<void> {
  const opened = await create();
  try {
    await check(contextOf(opened));
  } finally {
    await opened.close?.();
  }
}

function contextOf({ provider, sign }: OpenedPaymentProvider): PaymentProviderContext {
  const balances = memoryBalanceStore();
  const own = memoryPaymentStore({ balances });
  return {
    provider,
    store: own,
    sign: async (event, how = "genuine") => sign(event, how),
    read: ({ body, headers }) => provider.readEvent(body, (name) => headers[name]),
    begin: async (overrides = {}) => {
      const { name, live } = provider;
      const id = crypto.randomUUID();
      const account = `account-${id}`;
      const common = { id, account, provider: name, live, kind: "checkout", savesMethod: false, product } as const;
      return begun(own.begin({ ...common, ...overrides }, limits));
    },
    find({ id }) {
      const payment = own.find({ id });
      if (payment === undefined) throw new Error("The payment must be known.");
      return payment;
    },
    send: (notification, store = own) => send(provider, store, notification),
    expectPosted({ account }, posted) {
      deepEqual(balances.verify(), []);
      equal(balances.balance(account).posted, posted);
    },
  };
}

async function send(provider: PaymentProvider, store: PaymentStore, { body, headers }: Notification): Promise<number> {
  const endpoint = payments({
    gateway: { unread, inspect: () => ({ draining: false }) },
    store,
    provider,
    products: [{ id: product.id, price: product.price, credit: "1" }],
    authorize: () => undefined,
    observer: () => undefined,
    onEvent: () => undefined,
  });
  try {
    const request = new Request("http://host.test/webhook", { method: "POST", headers, body: new Uint8Array(body) });
    return (await endpoint.fetch(request)).status;
  } finally {
    await endpoint.stop();
  }
}

/** Answers here are short, so that no client leaves any unread. */
const unread: Parameters<typeof payments>[0]["gateway"]["unread"] = {
  withBackpressure: (response) => response,
  watch: () => () => undefined,
};
