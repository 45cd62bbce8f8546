import type { Checkout, PaymentProvider, ProviderMovement } from "@tollgate/payments";
import { ProviderUnavailable } from "@tollgate/payments";
import * as v from "valibot";
import { readNotification } from "./acme-notification.ts";

/** The options of {@link acmePay}. */
export interface AcmePayOptions {
  readonly baseURL: string;
  readonly apiKey: string;
  /** Signs the notifications of Acme Pay. */
  readonly signingSecret: string;
  /** Tells the payments of this gateway from others of the same merchant. */
  readonly shop: string;
  /** False: the API key is one for tests. */
  readonly live: boolean;
}

const page = v.object({ id: v.string(), url: v.string(), expires_at: v.string() });
const charge = v.variant("status", [
  v.object({ status: v.literal("accepted") }),
  v.object({ status: v.literal("refused"), reason: v.string() }),
]);
const movement = v.object({
  id: v.string(),
  type: v.picklist(["payment", "refund", "dispute", "dispute_reversal"]),
  reference: v.string(),
  amount: v.pipe(v.string(), v.regex(/^-?\d+$/)),
  currency: v.string(),
  at: v.string(),
});
const movements = v.object({ data: v.array(movement), next: v.nullable(v.string()) });

/** Takes payments with Acme Pay, an imaginary company. */
export function acmePay({ baseURL, apiKey, signingSecret, shop, live }: AcmePayOptions): PaymentProvider {
  if (signingSecret.length < 16)
    throw new TypeError("`signingSecret` is too short. Copy it from your endpoint of Acme Pay.");
  async function call<Output>(schema: v.GenericSchema<unknown, Output>, path: string, body?: object, key?: string) {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const once = key === undefined ? {} : { "idempotency-key": key };
    const signal = AbortSignal.timeout(8_000);
    const response = await fetch(`${baseURL}${path}`, { ...init, headers: { ...headers, ...once }, signal }).catch(
      unavailable,
    );
    if (response.status >= 500) throw unavailable(new Error(`It answered ${response.status}.`));
    if (!response.ok) throw new TypeError(`Acme Pay answered ${response.status}. Check the API key and the prices.`);
    return v.parse(schema, await response.json().catch(unavailable));
  }
  return {
    name: "acme-pay",
    live,
    priceProblem: ({ amount }) => (amount < 100n ? "Acme Pay takes at least 100 minor units." : undefined),
    async checkout({ id, product: { price }, savesMethod }): Promise<Checkout> {
      const wanted = { shop, payment: id, amount: String(price.amount), currency: price.currency };
      const {
        id: reference,
        url,
        expires_at,
      } = await call(page, "/pages", { ...wanted, save_method: savesMethod }, id);
      return { reference, url, expiresAt: new Date(expires_at) };
    },
    async charge({ id, product: { price } }, { customer, method }) {
      const body = { shop, payment: id, amount: String(price.amount), currency: price.currency, customer, method };
      const result = await call(charge, "/charges", body, id);
      return result.status === "accepted" ? { outcome: "accepted" } : { outcome: "refused", reason: result.reason };
    },
    readEvent: async (body, header) => readNotification(body, header("acme-signature"), { signingSecret, shop }),
    async *movements({ from, to }) {
      let next: string | null = `/movements?from=${from.toISOString()}&to=${to.toISOString()}`;
      while (next !== null) {
        const found: v.InferOutput<typeof movements> = await call(movements, next);
        yield* found.data.map(toMovement);
        next = found.next;
      }
    },
  };
}

const toMovement = ({ amount, currency, at, ...others }: v.InferOutput<typeof movement>): ProviderMovement => ({
  ...others,
  amount: { amount: BigInt(amount), currency },
  at: new Date(at),
});

function unavailable(cause: unknown): never {
  throw new ProviderUnavailable(`Acme Pay cannot be reached: ${cause instanceof Error ? cause.message : cause}`);
}
