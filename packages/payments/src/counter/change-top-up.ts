import { GatewayError } from "@tollgate/core";
import type { PaymentServices } from "../services.ts";
import type { TopUp } from "../top-up.ts";
import { findProduct } from "./checkout.ts";

/** What a customer decides about automatic top-ups. */
export interface TopUpWish {
  /** The id of a product. */
  readonly product: string;
  /** Nano-units: the product is bought when the posted balance is below it. */
  readonly below: bigint;
  readonly maxPerDay: number;
}

/** Sets the automatic top-up of an account with its saved payment method. Throws 404 or 409. */
export async function changeTopUp(services: PaymentServices, account: string, wish: TopUpWish): Promise<TopUp> {
  const { store, ask } = services;
  findProduct(services, wish.product);
  const method = await ask(() => store.savedMethod(account));
  if (method === undefined) throw noMethod();
  const topUp = { id: crypto.randomUUID(), account, ...wish, method };
  await ask(() => store.setTopUp(topUp));
  return topUp;
}

const noMethod = (): GatewayError =>
  new GatewayError(
    "payment_method_required",
    "This account has no saved payment method. Buy once with `save_method: true`, and set the top-up after it is paid.",
  );
