import { refund } from "./actions.ts";
import { ApiError } from "./api-error.ts";
import { type FormMembers, memberAt, textAt, textsAt } from "./form-body.ts";
import type { Session, StripeObject } from "./objects.ts";
import { chargeOffSession } from "./off-session.ts";
import type { StripeAccount } from "./stripe-account.ts";

/** Executes a request. Throws an `ApiError` for one that Stripe refuses. */
export function execute(account: StripeAccount, method: string, path: string, form: FormMembers): object {
  if (method === "POST" && path === "/v1/checkout/sessions") return createSession(account, form);
  if (method === "POST" && path === "/v1/payment_intents") return chargeOffSession(account, form);
  if (method === "POST" && path === "/v1/refunds") return createRefund(account, form);
  if (method === "GET" && path === "/v1/balance_transactions") return listTransactions(account, form);
  const found = method === "GET" ? account.find(path.slice(path.lastIndexOf("/") + 1)) : undefined;
  if (found === undefined || path !== `/v1/${collections[found.object]}/${found.id}`) {
    throw new ApiError(404, {
      type: "invalid_request_error",
      code: "resource_missing",
      message: `No such object: ${path}`,
    });
  }
  return expand(account, found, form);
}

const collections: Readonly<Record<StripeObject["object"], string>> = {
  "checkout.session": "checkout/sessions",
  payment_intent: "payment_intents",
  charge: "charges",
  refund: "refunds",
  dispute: "disputes",
  invoice: "invoices",
  balance_transaction: "balance_transactions",
};

/** https://docs.stripe.com/api/checkout/sessions/create */
function createSession(account: StripeAccount, form: FormMembers): Session {
  const price = memberAt(form, "line_items", "0", "price_data");
  const amount = Number(textAt(price, "unit_amount"));
  const currency = textAt(price, "currency") ?? "";
  const expiresAt = Number(textAt(form, "expires_at"));
  requireParam(textAt(form, "mode") === "payment", "mode");
  requireParam(Number.isSafeInteger(amount) && amount > 0, "line_items[0][price_data][unit_amount]");
  requireParam(/^[a-z]{3}$/.test(currency), "line_items[0][price_data][currency]");
  requireParam(textAt(price, "product_data", "name") !== undefined, "line_items[0][price_data][product_data][name]");
  requireParam(textAt(form, "success_url") !== undefined, "success_url");
  // Between 30 minutes and 24 hours from now.
  const minutes = (expiresAt - account.now()) / 60;
  requireParam(minutes >= 30 && minutes <= 24 * 60, "expires_at");
  const id = account.newId(account.livemode ? "cs_live" : "cs_test");
  account.plans.set(id, {
    metadata: textsAt(form, "payment_intent_data", "metadata"),
    setup_future_usage: textAt(form, "payment_intent_data", "setup_future_usage") ?? null,
  });
  return account.add<Session>({
    ...{ id, object: "checkout.session", livemode: account.livemode, created: account.now(), expires_at: expiresAt },
    ...{ client_reference_id: textAt(form, "client_reference_id") ?? null, metadata: textsAt(form, "metadata") },
    ...{ currency, amount_subtotal: amount, amount_total: amount, payment_intent: null, payment_status: "unpaid" },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    customer: textAt(form, "customer_creation") === "always" ? account.newId("cus") : null,
    invoice: textAt(form, "invoice_creation", "enabled") === "true" ? account.invoice().id : null,
    ...{ status: "open", url: `https://checkout.stripe.com/c/pay/${id}` },
  });
}

/** https://docs.stripe.com/api/refunds/create */
function createRefund(account: StripeAccount, form: FormMembers): object {
  const amount = textAt(form, "amount");
  try {
    return refund(account, textAt(form, "payment_intent") ?? "", amount === undefined ? undefined : Number(amount));
  } catch (error) {
    throw new ApiError(400, { type: "invalid_request_error", message: String(error), param: "amount" });
  }
}

/** Newest first, from the object after `starting_after`. https://docs.stripe.com/api/pagination */
function listTransactions(account: StripeAccount, form: FormMembers): object {
  const [gte, lt] = [textAt(form, "created", "gte") ?? 0, textAt(form, "created", "lt") ?? Number.MAX_SAFE_INTEGER].map(
    Number,
  );
  const limit = Number(textAt(form, "limit") ?? 10);
  requireParam(limit >= 1 && limit <= 100, "limit");
  const inRange = account.transactions.filter(({ created }) => created >= (gte ?? 0) && created < (lt ?? 0));
  const after = textAt(form, "starting_after");
  const start = after === undefined ? 0 : inRange.findIndex(({ id }) => id === after) + 1;
  const data = inRange.slice(start, start + limit).map((transaction) => ({
    ...transaction,
    source: expands(form, "data.source") ? (account.find(transaction.source ?? "") ?? null) : transaction.source,
  }));
  return { object: "list", url: "/v1/balance_transactions", has_more: start + limit < inRange.length, data };
}

/** https://docs.stripe.com/expand */
function expand(account: StripeAccount, found: StripeObject, form: FormMembers): object {
  if (found.object !== "payment_intent" || !expands(form, "latest_charge")) return found;
  return { ...found, latest_charge: account.find(found.latest_charge ?? "") ?? null };
}

const expands = (form: FormMembers, name: string): boolean => Object.values(textsAt(form, "expand")).includes(name);

function requireParam(isValid: boolean, param: string): void {
  if (!isValid) throw new ApiError(400, { type: "invalid_request_error", param, message: `Invalid ${param}` });
}
