import { GatewayError } from "@tollgate/core";
import type { Payment, Product } from "../payment.ts";
import { summaryOf } from "../payments-event.ts";
import { ProviderUnavailable } from "../provider-unavailable.ts";
import { maxOpen, type PaymentServices } from "../services.ts";

/** What a customer wants to buy. */
export interface Purchase {
  readonly account: string;
  /** The id of a product. */
  readonly product: string;
  /** True: the provider keeps the payment method for automatic top-ups. */
  readonly saveMethod: boolean;
}

/** Where the customer pays. */
export interface CheckoutPage {
  /** The id of the payment. */
  readonly id: string;
  readonly url: string;
}

/**
 * Makes the page on which a customer pays. The payment is written first, and a page that could not be made is made for the same
 * payment at the next try. Throws 404, 429 or 503.
 */
export async function startCheckout(services: PaymentServices, purchase: Purchase): Promise<CheckoutPage> {
  const { store, provider, ask, tell } = services;
  const payment = await beginCheckout(services, purchase);
  const checkout = await provider.checkout(payment).catch(rethrowUnavailable);
  const opened = await ask(() => store.open(payment.id, checkout));
  tell({ type: "payment.opened", at: Date.now(), payment: summaryOf(opened ?? payment) });
  return { id: payment.id, url: opened?.checkout?.url ?? checkout.url };
}

async function beginCheckout(services: PaymentServices, { account, product, saveMethod }: Purchase): Promise<Payment> {
  const { store, provider, ask } = services;
  const payment = {
    id: crypto.randomUUID(),
    account,
    provider: provider.name,
    live: provider.live,
    kind: "checkout",
    savesMethod: saveMethod,
    product: findProduct(services, product),
  } as const;
  const result = await ask(() => store.begin(payment, { maxOpen }));
  if (result.outcome === "too_many") throw tooMany();
  return result.payment;
}

/** Returns a product. Throws 404 if the host does not sell it. */
export function findProduct({ products }: Pick<PaymentServices, "products">, id: string): Product {
  const product = products.get(id);
  if (product !== undefined) return product;
  const ids = [...products.keys()].map((known) => `"${known}"`).join(", ");
  throw new GatewayError("product_not_found", `There is no product with this id. The products are ${ids}.`, {
    param: "product",
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    "too_many_checkouts",
    `This account has ${maxOpen} open checkouts. Pay one of them, or wait until one expires.`,
    { metadata: { limit: maxOpen } },
  );

/** Throws 503 for a provider that cannot be reached, and other errors as they are. */
export function rethrowUnavailable(thrown: unknown): never {
  if (!ProviderUnavailable.is(thrown)) throw thrown;
  throw new GatewayError(
    "payment_provider_unavailable",
    "The payment provider cannot be reached. Nothing was charged. Try again in a moment.",
    { cause: thrown, retryAfterSeconds: 5 },
  );
}
