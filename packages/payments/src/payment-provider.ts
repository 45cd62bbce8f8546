import type { Checkout, Money, Payment, SavedMethod } from "./payment.ts";
import type { PaymentEvent } from "./payment-event.ts";

/**
 * What a notification of a provider is. `ignored`: it is genuine, and about nothing of this gateway. `refused`: it is not
 * genuine, or not readable; `problem` is a sentence for the operator.
 */
export type ReadEvent =
  | { readonly outcome: "event"; readonly event: PaymentEvent }
  | { readonly outcome: "ignored" }
  | { readonly outcome: "refused"; readonly problem: string };

/** The result of charging a saved payment method. `refused`: by the bank or the provider; `reason` is a sentence for the customer. */
export type ChargeResult = { readonly outcome: "accepted" } | { readonly outcome: "refused"; readonly reason: string };

/** A movement of money at the provider, to compare with the ledger. Refunds and disputes are negative, `dispute_reversal` is positive. */
export interface ProviderMovement {
  readonly id: string;
  readonly type: "payment" | "refund" | "dispute" | "dispute_reversal";
  /** The provider's id of the payment: the `reference` of its receipt. */
  readonly reference: string;
  /** With the tax, before fees of the provider. A refund that failed is positive. */
  readonly amount: Money;
  readonly at: Date;
}

/**
 * Port: a company that takes payments. `checkout` and `charge` throw a `ProviderUnavailable` if the provider cannot be reached or
 * does not answer in time, after which the same call can be repeated with the same payment. Any other throw is a bug, or wrong
 * credentials of the host.
 */
export interface PaymentProvider {
  readonly name: string;
  /** True: it moves real money. */
  readonly live: boolean;
  /** Returns why the provider cannot charge an amount, as a sentence for the host; undefined if it can. */
  priceProblem(price: Money): string | undefined;
  /** Makes the page on which the customer pays, once for each payment id. */
  checkout(payment: Payment): Promise<Checkout>;
  /** Charges a saved payment method, once for each payment id. Whether it was paid comes as an event. */
  charge(payment: Payment, method: SavedMethod): Promise<ChargeResult>;
  /**
   * Verifies the signature of a notification and reads it. `body` is what came, byte for byte; names of headers are in lower case.
   * Throws a `ProviderUnavailable` if it has to ask the provider and gets no answer, so that the notification comes again.
   */
  readEvent(body: Uint8Array, header: (name: string) => string | undefined): Promise<ReadEvent>;
  /** Returns the movements of money in a time range, `to` excluded, in any order. Throws a `ProviderUnavailable` like the others. */
  movements(range: { readonly from: Date; readonly to: Date }): AsyncIterable<ProviderMovement>;
}
