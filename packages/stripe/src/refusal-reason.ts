/** The reason of a charge that needs the customer, such as for 3-D Secure. */
export const confirmationReason =
  "The bank asks you to confirm the payment. Buy credit once on the payment page, and save the payment method there again.";

/** What is read of an error of a charge. */
interface ChargeError {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message: string;
}

/**
 * Returns why a charge was refused, as a sentence for the customer. The error is one of the SDK, or `last_payment_error` of a
 * PaymentIntent. Stripe writes the messages of card errors for customers: https://docs.stripe.com/api/errors#errors-message
 */
export function refusalReason(error: ChargeError): string {
  if (error.code === "authentication_required") return confirmationReason;
  if (error.type === "StripeCardError" || error.type === "card_error") return error.message;
  return "The saved payment method cannot be charged any more. Buy credit once on the payment page to save another.";
}
