/** What a customer has begun to buy. */
export interface Purchase {
  readonly account: string;
  /** The nano-units that the account gets when it has paid. */
  readonly credit: bigint;
}

/** What a payment provider tells a gateway, as it signs it. */
export interface Notification {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What happens to a purchase. `unpaid`: the customer has ordered by a method that takes days. `half refunded` and `refunded`:
 * the operator pays back. `disputed`, `won` and `lost`: the bank takes the payment back, and decides for the operator or not.
 */
export type PaymentNews = "unpaid" | "paid" | "half refunded" | "refunded" | "disputed" | "won" | "lost";

/** How a notification is forged, and what it is in words. All but the first four have a valid signature. */
export const forgeries = {
  unsigned: "without a signature",
  "other secret": "signed with the secret of somebody else",
  "changed body": "whose amount was raised after it was signed",
  "old signature": "signed ten minutes ago",
  "wrong amount": "of a payment of one cent",
  "wrong currency": "of a payment in another currency",
  "other mode": "of the mode in which no money moves",
  "other gateway": "of a payment to another gateway",
  "unknown payment": "of a payment that was never begun",
} as const;

/** The name of a forgery. */
export type Forgery = keyof typeof forgeries;

/** Purchases of credit, with a stand-in for the payment provider. */
export interface Payments {
  /** Begins a purchase, which nobody has paid yet. */
  buy(account: string): Promise<Purchase>;
  /** Lets something happen to a purchase, and returns what the provider tells of it, signed now. */
  tell(purchase: Purchase, news: PaymentNews): Notification;
  /** Forges what tells that a purchase was paid. */
  forge(purchase: Purchase, how: Forgery): Notification;
  /** Signs a notification again, now. */
  resign(notification: Notification): Notification;
  /** Sends a notification, and returns the status of the answer. `url` is the base URL of another process. */
  deliver(notification: Notification, url?: string): Promise<number>;
}
