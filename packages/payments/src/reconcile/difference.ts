/** A difference between the provider, the payments and the ledger. */
export interface Difference {
  /**
   * `not_a_payment`: the provider moved money for what is no payment here. `not_received`: a payment is credited of which the
   * provider has no movement. `other_amount`: the provider received another amount. `received_twice`: more than once.
   * `not_credited` and `credited_wrongly`: the ledger has not what the payment says. `returned_otherwise`: refunds and disputes
   * of the provider are not those of the payment. `taken_back_wrongly`: the ledger has not what was taken back by the payment.
   * `credit_without_payment`: the ledger has a credit of a payment that does not exist. `held`: the payment needs a person.
   */
  readonly kind:
    | "not_a_payment"
    | "not_received"
    | "other_amount"
    | "received_twice"
    | "not_credited"
    | "credited_wrongly"
    | "returned_otherwise"
    | "taken_back_wrongly"
    | "credit_without_payment"
    | "held";
  /** The provider's id of the payment. */
  readonly reference: string;
  /** Absent: no payment has the reference. */
  readonly payment?: string;
  readonly account?: string;
  /** One sentence. */
  readonly sentence: string;
}

/** Receives each difference that is found. */
export type Found = (difference: Difference) => void;
