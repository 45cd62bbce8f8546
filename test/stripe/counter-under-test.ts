import { formatAmount } from "@tollgate/core";
import {
  type PaymentProvider,
  type PaymentStore,
  type Payments,
  type PaymentsEvent,
  type PaymentsOptions,
  payments,
} from "@tollgate/payments";
import { type StripeProviderOptions, stripeProvider } from "@tollgate/stripe";
import { onTestFinished } from "vitest";
import type { Host, Mount, Variant } from "../http/mounts/mount.ts";
import { nodeMounts } from "../http/mounts/node-mount.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type StripeServer, startStripe } from "../support/stripe/stripe-server.ts";
import { signingSecret } from "./provider-under-test.ts";
import { type StoresUnderTest, storeKinds } from "./stores.ts";

/** A shop that sells credit, and the Stripe that it uses. */
export interface CounterUnderTest extends StoresUnderTest {
  readonly stripe: StripeServer;
  readonly events: PaymentsEvent[];
  /** What the counter asks in place of the store. A test may replace its methods. */
  readonly asked: { store: PaymentStore };
  readonly url: string;
  readonly counter: Payments;
  readonly provider: PaymentProvider;
  /** Sends a request of a customer, by default "customer-17", and returns the status and the answer. */
  ask(method: string, path: string, body?: object, account?: string): Promise<Answer>;
  /** Opens a page for a product, and returns the id of its session at Stripe. */
  open(product?: string, more?: object): Promise<string>;
  posted(account?: string): Promise<string>;
}

/** A response of the counter. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

/** The members of all answers together. */
export interface AnswerBody {
  readonly url?: string;
  readonly data?: readonly { readonly state: string }[];
  readonly top_up?: { readonly stopped: object | null } | null;
  readonly error?: { readonly code: string };
}

/** What a test changes. */
export interface CounterOptions {
  readonly stores?: keyof typeof storeKinds;
  readonly mount?: Mount;
  readonly variant?: Variant;
  readonly livemode?: boolean;
  readonly stripe?: Partial<StripeProviderOptions>;
  readonly payments?: (stores: StoresUnderTest) => Partial<PaymentsOptions>;
}

/** Starts a shop until the test ends. */
export async function startCounter(options: CounterOptions = {}): Promise<CounterUnderTest> {
  const { livemode = false, stores: kind = "memory" } = options;
  const opened = await storeKinds[kind]?.();
  if (opened === undefined) throw new Error(`There are no stores of the kind ${kind}.`);
  const stripe = await startStripe({ livemode });
  const asked = { store: opened.store };
  const events: PaymentsEvent[] = [];
  const provider = stripeProvider({
    ...{ stripe: stripe.client, live: livemode, webhookSecrets: [signingSecret] },
    ...{ successUrl: "https://acme.example/paid", cancelUrl: "https://acme.example/billing" },
    ...options.stripe,
  });
  const counter = payments({
    gateway: gatewayUnderTest().gateway,
    store: overridable(asked),
    provider,
    products: [
      { id: "25", price: { amount: 2_500, currency: "USD" }, credit: "25.00" },
      { id: "100", price: { amount: 10_000, currency: "USD" }, credit: "100.00", bonus: "10.00" },
    ],
    authorize: ({ headers }) => ({ account: headers.get("x-account") ?? "" }),
    observer: () => undefined,
    onEvent: (event) => events.push(event),
    ...options.payments?.(opened),
  });
  const host = await startHost(counter, options);
  onTestFinished(async () => {
    await counter.stop();
    await host.close();
    await stripe.close();
    await opened.close();
  });
  const url = `http://127.0.0.1:${host.port}/payments`;
  stripe.webhooks.endpoints.push({ url: `${url}/webhook`, secrets: [signingSecret] });
  const ask = (method: string, path: string, body?: object, account = "customer-17") =>
    send(method, `${url}${path}`, body, account);
  return {
    ...{ ...opened, stripe, events, asked, url, counter, provider, ask },
    async open(product = "25", more = {}) {
      const { status, body } = await ask("POST", "/checkout", { product, ...more });
      if (status !== 200) throw new Error(`The checkout was answered with ${status}: ${JSON.stringify(body)}`);
      return String(body.url).split("/").at(-1) ?? "";
    },
    posted: async (account = "customer-17") => formatAmount((await opened.balances.balance(account)).posted),
  };
}

async function startHost(
  counter: Payments,
  { mount = nodeMounts[0], variant = "plain" }: CounterOptions,
): Promise<Host> {
  if (mount === undefined) throw new Error("There is no mount.");
  return mount.start({ "/payments": counter }, variant);
}

async function send(method: string, url: string, body: object | undefined, account: string): Promise<Answer> {
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", "x-account": account };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { status } = response;
  return { status, headers: response.headers, body: await response.json() };
}

/** The methods of a store, each of which is looked up when it is called. */
const overridable = (asked: { readonly store: PaymentStore }): PaymentStore => ({
  begin: (...args) => asked.store.begin(...args),
  open: (...args) => asked.store.open(...args),
  apply: (...args) => asked.store.apply(...args),
  find: (...args) => asked.store.find(...args),
  resolve: (...args) => asked.store.resolve(...args),
  list: (...args) => asked.store.list(...args),
  waitingEvents: (...args) => asked.store.waitingEvents(...args),
  savedMethod: (...args) => asked.store.savedMethod(...args),
  setTopUp: (...args) => asked.store.setTopUp(...args),
  removeTopUp: (...args) => asked.store.removeTopUp(...args),
  topUp: (...args) => asked.store.topUp(...args),
  forget: (...args) => asked.store.forget(...args),
  dueTopUps: (...args) => asked.store.dueTopUps(...args),
});
