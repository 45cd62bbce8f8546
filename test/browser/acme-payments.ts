import type { Gateway } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { memoryPaymentStore, payments } from "@tollgate/payments";
import { acmePay } from "../../examples/custom-provider/src/acme-pay.ts";
import type { SceneStores } from "../management/scene.ts";
import { startAcmeServer } from "../payments/acme-server.ts";
import { secrets } from "../payments/counter.ts";
import { authorize } from "../portal/scene.ts";

const nano = 1_000_000_000n;
const method = { customer: "customer-1", method: "card-1" };

/** Payments over a stand-in of a provider, for the customers of the portal's scene. "acme" has paid once, and is topped up by itself. */
export async function openPayments({ balances }: SceneStores, gateway: Gateway) {
  const acme = await startAcmeServer();
  const store = memoryPaymentStore({ balances });
  const provider = acmePay({ baseURL: acme.baseURL, apiKey: "key", live: false, ...secrets });
  const mounted = payments({
    gateway,
    store,
    provider,
    products: [
      { id: "small", price: { amount: 1_000, currency: "EUR" }, credit: "10" },
      { id: "large", price: { amount: 5_000, currency: "EUR" }, credit: "50", bonus: "5" },
    ],
    authorize: async (request) => {
      const customer = await authorize(request);
      return customer === undefined || customer instanceof Response ? customer : { account: customer.account };
    },
  });
  await payOnce();
  await store.setTopUp({ id: "top-up-1", account: "acme", product: "small", below: 5n * nano, maxPerDay: 2, method });
  return {
    handle: nodeHandler(mounted, { prefix: "/payments" }),
    async close() {
      await mounted.stop();
      await acme.close();
    },
  };

  async function payOnce(): Promise<void> {
    const price = { amount: 1_000n, currency: "EUR" };
    const of = { provider: provider.name, live: false };
    const product = { id: "small", price, credit: 10n * nano, bonus: 0n };
    await store.begin(
      { ...of, id: "payment-1", account: "acme", kind: "checkout", savesMethod: true, product },
      { maxOpen: 5 },
    );
    const at = new Date();
    const receipt = { reference: "ref-1", at, tax: 0n, invoiceUrl: "https://pay.acme.test/invoice/1" };
    await store.apply(
      { ...of, id: "event-1", at, type: "payment.paid", payment: "payment-1", paid: price, receipt, method },
      { refundsBelowZero: false },
    );
  }
}
