import type { Money, Receipt, SavedMethod } from "./payment.ts";

interface EventCommon {
  /** The provider's id of the event. Events may come late, doubled and in any order. */
  readonly id: string;
  readonly provider: string;
  readonly live: boolean;
  /** When it happened, by the clock of the provider. */
  readonly at: Date;
}

/**
 * What a provider reports of a payment, after its signature was verified. `payment` is the id of the payment, and `reference`
 * the provider's; the amounts are in the minor unit of the currency.
 */
export type PaymentEvent = EventCommon &
  (
    | { readonly type: "payment.processing"; readonly payment: string }
    /** The customer has paid. `paid` is the amount without the tax. */
    | {
        readonly type: "payment.paid";
        readonly payment: string;
        readonly paid: Money;
        readonly receipt: Receipt;
        /** Present if the provider has kept the payment method. */
        readonly method?: SavedMethod;
      }
    /**
     * The payment can no longer be made. `message` is a sentence for the customer. A refusal after which the customer can try
     * again on the same page is no such event.
     */
    | {
        readonly type: "payment.ended";
        readonly payment: string;
        readonly reason: "expired" | "failed";
        readonly message?: string;
      }
    /** `refunded` is the total of all refunds of the payment so far, and `charged` what the customer paid; both with their tax. */
    | {
        readonly type: "payment.refunded";
        readonly reference: string;
        readonly refunded: Money;
        readonly charged: Money;
      }
    | {
        readonly type: "dispute.opened" | "dispute.won" | "dispute.lost";
        readonly reference: string;
        /** The provider's id of the dispute. */
        readonly dispute: string;
        readonly disputed: Money;
        readonly charged: Money;
      }
  );
