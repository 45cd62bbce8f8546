import { declined } from "./actions.ts";
import { ApiError } from "./api-error.ts";
import { type FormMembers, textAt, textsAt } from "./form-body.ts";
import type { CardError, Intent } from "./objects.ts";
import type { StripeAccount } from "./stripe-account.ts";

/** Charges a saved method while its customer is away. https://docs.stripe.com/payments/save-and-reuse */
export function chargeOffSession(account: StripeAccount, form: FormMembers): Intent {
  const method = textAt(form, "payment_method") ?? "";
  const behavior = account.methods.get(method);
  if (textAt(form, "off_session") !== "true" || textAt(form, "confirm") !== "true" || behavior === undefined) {
    const message = `No such PaymentMethod: '${method}'`;
    throw new ApiError(400, {
      type: "invalid_request_error",
      code: "resource_missing",
      param: "payment_method",
      message,
    });
  }
  const intent = account.add<Intent>({
    ...{ id: account.newId("pi"), object: "payment_intent", created: account.now(), livemode: account.livemode },
    ...{
      amount: Number(textAt(form, "amount")),
      currency: textAt(form, "currency") ?? "",
      metadata: textsAt(form, "metadata"),
    },
    ...{ customer: textAt(form, "customer") ?? null, payment_method: method, setup_future_usage: null },
    ...{ amount_received: 0, latest_charge: null, status: "processing", last_payment_error: null },
  });
  const error = errors.get(behavior);
  if (error !== undefined) {
    account.fail(intent, error);
    throw new ApiError(402, error);
  }
  if (behavior === "pays") account.settle(intent);
  return intent;
}

const errors: ReadonlyMap<string, CardError> = new Map([
  ["declined", declined],
  [
    "needs_authentication",
    {
      type: "card_error",
      code: "authentication_required",
      decline_code: "authentication_required",
      message: "Your card was declined. This transaction requires authentication.",
    },
  ],
]);
