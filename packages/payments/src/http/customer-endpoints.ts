import { GatewayError, parseAmount } from "@tollgate/core";
import { decimal, filledText, jsonTextResponse, readJsonBody, requestUrl, wanted } from "@tollgate/core/internal";
import * as v from "valibot";
import { changeTopUp } from "../counter/change-top-up.ts";
import { startCheckout } from "../counter/checkout.ts";
import type { CustomerHandler } from "./as-customer.ts";
import { showPayment, showProduct, showTopUp } from "./shown.ts";

const json = (headers: Record<string, string>, value: unknown) => jsonTextResponse(200, headers, JSON.stringify(value));

const purchase = v.strictObject({
  product: filledText,
  save_method: v.exactOptional(v.boolean(wanted("must be true or false")), false),
});

/** POST /checkout: makes the page on which the customer pays. */
export const checkout: CustomerHandler = async (services, { request, headers }, account) => {
  const { product, save_method: saveMethod } = await readJsonBody(services, request, purchase);
  return json(headers, await startCheckout(services, { account, product, saveMethod }));
};

/** GET /products: what the host sells. */
export const listProducts: CustomerHandler = async ({ products }, { headers }) =>
  json(headers, { data: [...products.values()].map(showProduct) });

const defaultLimit = 50;
const maxLimit = 200;

/** GET /payments: the payments of the account, newest first, in pages. */
export const listPayments: CustomerHandler = async ({ store, ask }, { request, headers }, account) => {
  const { searchParams } = requestUrl(request);
  const limit = readLimit(searchParams.get("limit"));
  const after = searchParams.get("cursor");
  const page = await ask(() => store.list({ account, limit, ...(after === null ? {} : { after }) }));
  return json(headers, { data: page.payments.map(showPayment), next: page.next ?? null });
};

function readLimit(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxLimit) return limit;
  throw new GatewayError("invalid_request", `\`limit\` must be a whole number from 1 to ${maxLimit}.`, {
    param: "limit",
  });
}

/** GET /top-up: the automatic top-up of the account, or null. */
export const readTopUp: CustomerHandler = async ({ store, ask }, { headers }, account) => {
  const topUp = await ask(() => store.topUp(account));
  return json(headers, { top_up: topUp === undefined ? null : showTopUp(topUp) });
};

const wish = v.strictObject({
  product: filledText,
  below: v.pipe(
    decimal,
    v.transform((written: string) => parseAmount(written)),
    v.minValue(1n, "must be above 0"),
  ),
  max_per_day: v.pipe(
    v.number(wanted("must be a whole number from 1 to 20")),
    v.integer("must be a whole number from 1 to 20"),
    v.minValue(1, "must be a whole number from 1 to 20"),
    v.maxValue(20, "must be a whole number from 1 to 20"),
  ),
});

/** PUT /top-up: tops the account up by itself from now on, with its saved payment method. */
export const setTopUp: CustomerHandler = async (services, { request, headers }, account) => {
  const { product, below, max_per_day: maxPerDay } = await readJsonBody(services, request, wish);
  const topUp = await changeTopUp(services, account, { product, below, maxPerDay });
  return json(headers, { top_up: showTopUp(topUp) });
};

/** DELETE /top-up: no more automatic top-ups. */
export const removeTopUp: CustomerHandler = async ({ store, ask }, { headers }, account) => {
  await ask(() => store.removeTopUp(account));
  return json(headers, { top_up: null });
};
