import { arrayOf, filledText, functionValue, optionMembers, requireOptions, wanted } from "@tollgate/core/internal";
import type { Product } from "@tollgate/payments";
import * as v from "valibot";
import type { StripeClient } from "./stripe-client.ts";
import { secretProblem } from "./webhook-secret.ts";

/** Options of `stripeProvider`. */
export interface StripeProviderOptions {
  /** The client of the official SDK: `new Stripe(process.env.STRIPE_API_KEY)`. A restricted key needs the permissions that the guide lists. */
  readonly stripe: StripeClient;
  /** True if the API key is one of live mode. Objects and events of the other mode are never credited. */
  readonly live: boolean;
  /** The signing secrets of the webhook endpoint: one, and the next one while it is rotated. */
  readonly webhookSecrets: readonly string[];
  /** The page of the host to which a customer returns who has paid. `{CHECKOUT_SESSION_ID}` in it is replaced by Stripe. */
  readonly successUrl: string;
  /** The page of the host to which a customer returns who goes back without paying. */
  readonly cancelUrl: string;
  /**
   * Marks what this gateway makes at Stripe, so that other programs and gateways can use the same Stripe account;
   * "tollgate" when absent. Payments are not found any more after it has changed.
   */
  readonly gateway?: string;
  /** The line on the page and on receipts; "API credit" when absent. The same product has the same name each time. */
  readonly productName?: (product: Product) => string;
  /** True: Stripe makes an invoice for each paid checkout. It charges for them. */
  readonly invoiceCreation?: boolean;
  /** True: Stripe Tax adds its tax to the price. Top-ups without a page have no tax. */
  readonly automaticTax?: boolean;
  /** The connected account of Stripe Connect for which the client is configured, such as "acct_1...". Absent: your own account. */
  readonly account?: string;
}

const secret = v.custom<string>(
  (value) => secretProblem(value) === undefined,
  ({ input }) => secretProblem(input) ?? "",
);

const page = v.custom<string>(
  (value) => typeof value === "string" && /^https?:\/\/[^/\s]/.test(value) && URL.canParse(value),
  wanted('must be an absolute URL, such as "https://acme.example/billing"'),
);

const schema = optionMembers("the options of stripeProvider", {
  stripe: v.custom<StripeClient>(
    isClient,
    "must be a client of the package stripe. Pass `new Stripe(process.env.STRIPE_API_KEY)`, not the key",
  ),
  live: v.boolean(wanted("must be true or false: true if the API key is one of live mode")),
  webhookSecrets: v.pipe(
    arrayOf("signing secrets", secret),
    v.minLength(1, "is empty. Pass the signing secret of the webhook endpoint"),
  ),
  successUrl: page,
  cancelUrl: page,
  gateway: v.exactOptional(
    v.custom<string>(
      (value) => typeof value === "string" && /^[\w-]{1,40}$/.test(value),
      wanted("must be 1 to 40 letters, digits, hyphens and underscores"),
    ),
    "tollgate",
  ),
  productName: v.exactOptional(
    functionValue<(product: Product) => string>("Such as (product) => product.id"),
    () => () => "API credit",
  ),
  invoiceCreation: v.exactOptional(v.boolean(wanted("must be true or false")), false),
  automaticTax: v.exactOptional(v.boolean(wanted("must be true or false")), false),
  account: v.exactOptional(filledText),
} satisfies Record<keyof StripeProviderOptions, v.GenericSchema>);

/** The options with their defaults. */
export type CheckedOptions = v.InferOutput<typeof schema>;

/** Checks the options, and returns a copy with the defaults. Throws a TypeError that lists all problems. */
export const checkedOptions = (options: StripeProviderOptions): CheckedOptions =>
  requireOptions("stripeProvider", schema, options);

function isClient(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts = {
    balanceTransactions: "list",
    charges: "retrieve",
    paymentIntents: "create",
    webhooks: "constructEventAsync",
  };
  return Object.entries(parts).every(([name, method]) => {
    const part: unknown = Reflect.get(value, name);
    return typeof part === "object" && part !== null && typeof Reflect.get(part, method) === "function";
  });
}
