/** An amount of a currency, as a provider charges it. */
export interface Money {
  /** In the minor unit of the currency by ISO 4217, such as cents; whole yen for JPY. */
  readonly amount: bigint;
  /** ISO 4217, in upper case: "USD". */
  readonly currency: string;
}

/** What the host sells: credit for a price. */
export interface Product {
  readonly id: string;
  readonly price: Money;
  /** Nano-units, greater than zero: paid credit. */
  readonly credit: bigint;
  /** Nano-units: granted on top of it; zero for none. */
  readonly bonus: bigint;
}

/** A payment that is about to be made. What it says is what is credited, whatever the provider says later. */
export interface NewPayment {
  /** A UUID, under which the provider is asked. A repeated request with it makes no second payment there. */
  readonly id: string;
  readonly account: string;
  /** The name of the provider, such as "stripe". */
  readonly provider: string;
  /** False: a payment with test data of the provider. */
  readonly live: boolean;
  /** `checkout`: the customer pays on a page of the provider. `top_up`: the gateway charges a saved payment method. */
  readonly kind: "checkout" | "top_up";
  /** True: the customer lets the provider keep the payment method for automatic top-ups. */
  readonly savesMethod: boolean;
  readonly product: Product;
}

/** A page of the provider on which the customer pays. */
export interface Checkout {
  /** The provider's id of it. */
  readonly reference: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** A payment that the provider has received. */
export interface Receipt {
  /** The provider's id of the payment, by which it is credited once: a PaymentIntent of Stripe. */
  readonly reference: string;
  readonly at: Date;
  /** In the minor unit of the price. */
  readonly tax: bigint;
  /** Pages of the provider for the customer. */
  readonly invoiceUrl?: string;
  readonly receiptUrl?: string;
}

/** A payment method that the customer has saved for automatic top-ups. */
export interface SavedMethod {
  /** The provider's ids. */
  readonly customer: string;
  readonly method: string;
}

/** A claim of the customer's bank that a payment be returned. */
export interface Dispute {
  /** The provider's id of it. */
  readonly reference: string;
  readonly state: "open" | "won" | "lost";
  /** In the minor unit of the price. */
  readonly amount: bigint;
  /** When it came into this state, by the clock of the provider. */
  readonly at: Date;
}

/** Nano-units of the credit and of the bonus of a payment. */
export interface Shares {
  readonly credit: bigint;
  readonly bonus: bigint;
}

/**
 * How far a payment has come. `pending`: written, and the provider has not confirmed that it knows it. `open`: the customer can
 * pay. `processing`: the customer has paid by a method that takes days. `ended`: it expired or failed, or was held and refunded.
 * `paid`: it is credited. `held`: the provider received a payment that does not fit what was written, and nothing was credited:
 * see `problem`.
 */
export type PaymentState = (typeof paymentStates)[number];

/** The states of {@link PaymentState}. */
export const paymentStates = ["pending", "open", "processing", "ended", "paid", "held"] as const;

/** A payment and what came of it. */
export interface Payment extends NewPayment {
  readonly createdAt: Date;
  readonly state: PaymentState;
  readonly checkout?: Checkout;
  /** Present when it is `paid`, and when it is `held` because of its amount. No other payment of the provider has its reference. */
  readonly receipt?: Receipt;
  /** The payment method that the provider has kept. */
  readonly method?: SavedMethod;
  /** The total that was refunded, with its tax, in the minor unit of the price. */
  readonly refunded: bigint;
  /** When `refunded` was last told, by the clock of the provider. */
  readonly refundedAt?: Date;
  readonly disputes: readonly Dispute[];
  /** What refunds and disputes have taken back, less what came back of a dispute that was won; at most the product's. */
  readonly takenBack: Shares;
  /** The number of postings that took or gave back. Their ids are `payment:<reference>:1`, `:2` and so on. */
  readonly postings: number;
  /** One sentence for the operator. Present when something of it needs a person. */
  readonly problem?: string;
}
