import type { Forgery, Notification, PaymentNews, Payments, Purchase } from "@tollgate/exact-money";
import { decide, dispute, pay, payLater, refund } from "../../support/stripe/actions.ts";
import type { Event } from "../../support/stripe/objects.ts";
import { type StripeServer, startStripe } from "../../support/stripe/stripe-server.ts";
import { sign } from "../../support/stripe/webhooks.ts";
import { product } from "./product.ts";
import type { StripeAccess } from "./task.ts";

const signingSecret = "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U";

/** What has happened to a purchase at the stand-in for Stripe. */
interface Sale {
  readonly session: string;
  isOrdered: boolean;
  intent: string;
  dispute: string;
  paid: Event | undefined;
}

/** Purchases at a stand-in for Stripe, of which the gateway is told as Stripe does. */
export class StripePayments implements Payments {
  readonly #sales = new WeakMap<Purchase, Sale>();

  private constructor(
    private readonly stripe: StripeServer,
    private readonly origin: string,
  ) {}

  /** Starts the stand-in for the gateway at an origin. */
  static async start(origin: string): Promise<StripePayments> {
    const stripe = await startStripe();
    // Events wait here, and the cases deliver them.
    stripe.webhooks.endpoints.push({ url: "http://127.0.0.1:1/", secrets: [signingSecret] });
    return new StripePayments(stripe, origin);
  }

  get access(): StripeAccess {
    return { port: this.stripe.port, apiKey: "sk_test_of_the_stand_in", signingSecret };
  }

  async buy(account: string): Promise<Purchase> {
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", "x-account": account };
    const body = JSON.stringify({ product: product.id });
    const response = await fetch(`${this.origin}/payments/checkout`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`The checkout was answered with ${response.status}: ${text}`);
    const { url }: { readonly url: string } = JSON.parse(text);
    const purchase = { account, credit: product.nano };
    const session = url.split("/").at(-1) ?? "";
    this.#sales.set(purchase, { session, isOrdered: false, intent: "", dispute: "", paid: undefined });
    return purchase;
  }

  tell(purchase: Purchase, news: PaymentNews): Notification {
    return this.#signed(this.#happen(this.#saleOf(purchase), news));
  }

  forge(purchase: Purchase, how: Forgery): Notification {
    const sale = this.#saleOf(purchase);
    if (how === "wrong amount") return this.#signed(this.#pay(sale, { amount_total: 1 }));
    if (how === "wrong currency") return this.#signed(this.#pay(sale, { currency: "jpy" }));
    const event = this.#happen(sale, "paid");
    if (how === "other mode") return this.#signed({ ...event, livemode: true });
    if (how === "other gateway") return this.#signed(withMetadata(event, { tollgate_gateway: "another" }));
    if (how === "unknown payment") return this.#signed(ofAnotherPayment(event));
    return wronglySigned(JSON.stringify(event), how);
  }

  resign({ body }: Notification): Notification {
    return notificationOf(body, sign(body, [signingSecret]));
  }

  async deliver({ body, headers }: Notification, url?: string): Promise<number> {
    const origin = url === undefined ? this.origin : new URL(url).origin;
    const response = await fetch(`${origin}/payments/webhook`, { method: "POST", headers, body });
    await response.text();
    return response.status;
  }

  stop(): Promise<void> {
    return this.stripe.close();
  }

  #saleOf(purchase: Purchase): Sale {
    const sale = this.#sales.get(purchase);
    if (sale === undefined) throw new Error("This purchase was not begun here.");
    return sale;
  }

  #happen(sale: Sale, news: PaymentNews): Event {
    const { account } = this.stripe;
    if (news === "unpaid") return this.#order(sale);
    if (news === "paid") {
      sale.paid ??= sale.isOrdered ? this.#payLater(sale) : this.#pay(sale);
      return sale.paid;
    }
    if (news === "half refunded") refund(account, sale.intent, product.cents / 2);
    else if (news === "refunded") refund(account, sale.intent);
    else if (news === "disputed") sale.dispute = dispute(account, sale.intent).id;
    else decide(account, sale.dispute, news);
    return this.#last(eventTypes[news]);
  }

  #order(sale: Sale): Event {
    sale.intent = pay(this.stripe.account, sale.session, { later: true }).id;
    sale.isOrdered = true;
    return this.#last("checkout.session.completed");
  }

  #payLater(sale: Sale): Event {
    payLater(this.stripe.account, sale.session, true);
    return this.#last("checkout.session.async_payment_succeeded");
  }

  #pay(sale: Sale, instead: { readonly amount_total?: number; readonly currency?: string } = {}): Event {
    sale.intent = pay(this.stripe.account, sale.session, { instead }).id;
    return this.#last("checkout.session.completed");
  }

  #last(type: string): Event {
    const event = this.stripe.webhooks.waiting.findLast((waiting) => waiting.type === type);
    if (event === undefined) throw new Error(`The stand-in has sent no ${type}.`);
    return event;
  }

  #signed(event: object): Notification {
    const body = JSON.stringify(event);
    return notificationOf(body, sign(body, [signingSecret]));
  }
}

const eventTypes = {
  "half refunded": "charge.refunded",
  refunded: "charge.refunded",
  disputed: "charge.dispute.created",
  won: "charge.dispute.closed",
  lost: "charge.dispute.closed",
} as const;

const notificationOf = (body: string, signature?: string): Notification => ({
  body,
  headers: {
    "content-type": "application/json",
    ...(signature === undefined ? {} : { "stripe-signature": signature }),
  },
});

function wronglySigned(body: string, how: Forgery): Notification {
  if (how === "unsigned") return notificationOf(body);
  if (how === "other secret") return notificationOf(body, sign(body, ["whsec_of_somebody_else"]));
  if (how === "old signature")
    return notificationOf(body, sign(body, [signingSecret], Math.floor(Date.now() / 1_000) - 600));
  const raised = body.replace(`"amount_total":${product.cents}`, `"amount_total":${100 * product.cents}`);
  return notificationOf(raised, sign(body, [signingSecret]));
}

function ofAnotherPayment(event: Event): object {
  const id = crypto.randomUUID();
  const { data } = withMetadata(event, { tollgate_payment: id });
  return { ...event, data: { object: { ...data.object, client_reference_id: id } } };
}

function withMetadata(event: Event, metadata: Readonly<Record<string, string>>) {
  const object: { readonly metadata?: object } = event.data.object;
  return { ...event, data: { object: { ...object, metadata: { ...object.metadata, ...metadata } } } };
}
