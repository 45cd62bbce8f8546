import type { Payment, PaymentState, Shares } from "./payment.ts";

/** What an event says of a payment: no secret, no address of a page, and nothing of the customer but the account. */
export interface PaymentSummary {
  readonly id: string;
  readonly account: string;
  readonly kind: Payment["kind"];
  readonly state: PaymentState;
  /** The id of the product. */
  readonly product: string;
  /** Nano-units. */
  readonly credit: bigint;
  readonly bonus: bigint;
  readonly takenBack: Shares;
  readonly problem?: string;
}

/** What happens to payments. `at` is in milliseconds since the Unix epoch. */
export type PaymentsEvent = { readonly at: number } & (
  | /** A page on which the customer pays was made. */ {
      readonly type: "payment.opened";
      readonly payment: PaymentSummary;
    }
  | /** An event of the provider changed a payment, and the ledger with it; `cause` is the type of the event. */ {
      readonly type: "payment.changed";
      readonly cause: string;
      readonly payment: PaymentSummary;
    }
  | /** An event of the provider waits, since its payment is not known or not paid. */ {
      readonly type: "payment.waiting";
      readonly cause: string;
      /** The provider's id of the event. */
      readonly event: string;
    }
  | /** An event of the provider is of another mode than its payment, and changed nothing. */ {
      readonly type: "payment.mismatched";
      readonly cause: string;
      readonly event: string;
    }
  | /** A notification was refused: it is not genuine, or not readable. */ {
      readonly type: "notification.refused";
      readonly problem: string;
    }
  | /** A saved payment method was charged. Whether it is paid comes as `payment.changed`. */ {
      readonly type: "top_up.charged";
      readonly payment: PaymentSummary;
    }
  | /** A charge failed, and the account is not topped up until the customer changes the top-up. */ {
      readonly type: "top_up.failed";
      readonly payment: PaymentSummary;
      readonly reason: string;
    }
  | /** A charge, or the search for those that are due, failed and is tried again. */ {
      readonly type: "top_up.delayed";
      /** Absent: no account in particular. */
      readonly account?: string;
      readonly cause: Error;
    }
);

/** Receives the events of payments. */
export type PaymentsListener = (event: PaymentsEvent) => void;

/** Returns what events say of a payment. */
export function summaryOf({ id, account, kind, state, product, takenBack, problem }: Payment): PaymentSummary {
  const { id: productId, credit, bonus } = product;
  const common = { id, account, kind, state, product: productId, credit, bonus, takenBack };
  return problem === undefined ? common : { ...common, problem };
}

/** A listener that prints what the operator has to look at to `console.error`. */
export function printProblems(event: PaymentsEvent): void {
  const problem = problemOf(event);
  if (problem !== undefined) console.error(`tollgate: ${problem}`);
}

function problemOf(event: PaymentsEvent): string | undefined {
  switch (event.type) {
    case "payment.changed":
      return event.payment.problem && `the payment ${event.payment.id} needs a person: ${event.payment.problem}`;
    case "payment.mismatched":
      return `the event ${event.event} is not of the mode of its payment. Look at the keys and the endpoints of the provider.`;
    case "notification.refused":
      return `a notification of the payment provider was refused: ${event.problem}`;
    case "top_up.delayed":
      return `top-ups fail, and are tried again: ${event.cause.message}`;
    default:
      return undefined;
  }
}
