import { randomUUID } from "node:crypto";
import type {
  BalanceTransaction,
  CardError,
  Charge,
  Dispute,
  Event,
  Intent,
  Invoice,
  Refund,
  Session,
  StripeObject,
} from "./objects.ts";

/** How a saved payment method behaves. https://docs.stripe.com/testing */
export type MethodBehavior = "pays" | "pays_later" | "declined" | "needs_authentication";

/** `payment_intent_data` of a session. */
export interface PaymentPlan {
  readonly metadata: Record<string, string>;
  readonly setup_future_usage: string | null;
}

/** What a test decides about a Stripe account. */
export interface AccountOptions {
  readonly livemode: boolean;
  /** The currency of the balance. A charge in another is converted. */
  readonly settles: string;
  readonly emit: (event: Event) => void;
}

/** The objects of one Stripe account, and what customers, banks and the operator do with them. */
export class StripeAccount {
  readonly #objects = new Map<string, StripeObject>();
  readonly #options: AccountOptions;
  /** Differs from one test to the next, since tests share databases. */
  readonly #run = randomUUID().slice(0, 8);
  #created = 0;
  /** What a session says about the PaymentIntent that it makes when its customer pays. */
  readonly plans = new Map<string, PaymentPlan>();
  readonly transactions: BalanceTransaction[] = [];
  /** The methods that customers have saved, and those that a test adds. */
  readonly methods = new Map<string, MethodBehavior>();
  /** Seconds by which the clock of this account is ahead. */
  ahead = 0;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  get livemode(): boolean {
    return this.#options.livemode;
  }

  now(): number {
    return Math.floor(Date.now() / 1_000) + this.ahead;
  }

  newId(prefix: string): string {
    this.#created += 1;
    return `${prefix}_${this.#run}${this.#created}`;
  }

  add<Added extends StripeObject>(object: Added): Added {
    this.#objects.set(object.id, object);
    return object;
  }

  find(id: string): StripeObject | undefined {
    return this.#objects.get(id);
  }

  session(id: string): Session {
    return this.#get(id, "checkout.session");
  }

  intent(id: string): Intent {
    return this.#get(id, "payment_intent");
  }

  charge(id: string): Charge {
    return this.#get(id, "charge");
  }

  dispute(id: string): Dispute {
    return this.#get(id, "dispute");
  }

  refund(id: string): Refund {
    return this.#get(id, "refund");
  }

  invoice(): Invoice {
    const id = this.newId("in");
    return this.add({ id, object: "invoice", hosted_invoice_url: `https://invoice.stripe.com/i/${id}` });
  }

  sessions(): readonly Session[] {
    return [...this.#objects.values()].filter((object) => object.object === "checkout.session");
  }

  charges(): readonly Charge[] {
    return [...this.#objects.values()].filter((object) => object.object === "charge");
  }

  /** Sends an event with a copy of the object, as it is now. */
  emit(type: string, object: object): Event {
    const event: Event = {
      id: this.newId("evt"),
      object: "event",
      api_version: "2026-10-28.endive",
      created: this.now(),
      livemode: this.livemode,
      type,
      data: { object: structuredClone(object) },
    };
    this.#options.emit(event);
    return event;
  }

  /** Makes the charge of a PaymentIntent that is paid. */
  settle(intent: Intent): Charge {
    const { amount, currency, livemode, metadata } = intent;
    const id = this.newId("ch");
    const charge = this.add<Charge>({
      ...{ id, object: "charge", created: this.now(), payment_intent: intent.id, amount, currency, livemode, metadata },
      ...{ receipt_url: `https://pay.stripe.com/receipts/${id}`, amount_refunded: 0, refunded: false, disputed: false },
    });
    Object.assign(intent, { status: "succeeded", amount_received: amount, latest_charge: id });
    this.book("charge", "charge", amount, charge);
    this.emit("charge.succeeded", charge);
    this.emit("payment_intent.succeeded", intent);
    return charge;
  }

  /** Fails a PaymentIntent. */
  fail(intent: Intent, error: CardError): void {
    Object.assign(intent, { status: "requires_payment_method", last_payment_error: error });
    this.emit("payment_intent.payment_failed", intent);
  }

  /** Books an amount in the currency of the account, at 2 to 1 if it is another. */
  book(type: string, category: string, amount: number, source: Charge | Refund | Dispute): void {
    const { settles } = this.#options;
    this.transactions.unshift({
      ...{
        id: this.newId("txn"),
        object: "balance_transaction",
        created: this.now(),
        type,
        reporting_category: category,
      },
      ...{ amount: source.currency === settles ? amount : amount * 2, currency: settles, source: source.id },
    });
  }

  #get<Kind extends StripeObject["object"]>(id: string, kind: Kind): Extract<StripeObject, { object: Kind }> {
    const object = this.#objects.get(id);
    if (object !== undefined && isKind(object, kind)) return object;
    throw new Error(`There is no ${kind} ${id}.`);
  }
}

const isKind = <Kind extends StripeObject["object"]>(
  object: StripeObject,
  kind: Kind,
): object is Extract<StripeObject, { object: Kind }> => object.object === kind;
