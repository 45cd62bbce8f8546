import { createServer } from "node:http";
import { createGateway, memoryBalanceStore, memoryKeyStore, parseAmount } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import {
  memoryPaymentStore,
  type PaymentEvent,
  type PaymentsEvent,
  type PaymentsOptions,
  payments,
} from "@tollgate/payments";
import { acmePay } from "../../examples/custom-provider/src/acme-pay.ts";
import { signNotification } from "../../examples/custom-provider/src/sign-notification.ts";
import { listen } from "../http/mounts/mount.ts";
import { type AcmeServer, startAcmeServer } from "./acme-server.ts";

export const secrets = { signingSecret: "a secret of sixteen characters", shop: "acme" };

/** Payments over stores in memory and a stand-in of a provider, mounted in a server of Node. */
export type Counter = Awaited<ReturnType<typeof openCounter>>;

/** An answer with its JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

/** Opens a counter. Who sends the header `x-account` is logged in. */
export async function openCounter(
  overrides: (open: {
    acme: AcmeServer;
    balances: ReturnType<typeof memoryBalanceStore>;
  }) => Partial<PaymentsOptions> = () => ({}),
) {
  const acme = await startAcmeServer();
  const balances = memoryBalanceStore();
  const store = memoryPaymentStore({ balances });
  const gateway = createGateway({
    keys: memoryKeyStore(),
    balances,
    models: [],
    plans: [{ id: "prepaid", billing: "prepaid" }],
  });
  const provider = acmePay({ baseURL: acme.baseURL, apiKey: "key", live: false, ...secrets });
  const events: PaymentsEvent[] = [];
  const options: PaymentsOptions = {
    gateway,
    store,
    provider,
    products: [
      { id: "small", price: { amount: 1_000, currency: "USD" }, credit: "10.00" },
      { id: "large", price: { amount: 5_000n, currency: "USD" }, credit: "50.00", bonus: "5.00" },
    ],
    authorize({ headers }) {
      const account = headers.get("x-account");
      return account === null ? undefined : { account };
    },
    observer: () => undefined,
    onEvent: (event) => void events.push(event),
    ...overrides({ acme, balances }),
  };
  const mounted = payments(options);
  const host = await listen(createServer(nodeHandler(mounted, { prefix: "/payments" })));
  const url = `http://127.0.0.1:${host.port}/payments`;
  const own = { "x-account": "ann", "sec-fetch-site": "same-origin", "content-type": "application/json" };
  return {
    acme,
    balances,
    store,
    gateway,
    provider,
    mounted,
    /** Mounts the same payments a second time, as another process does. */
    mountAgain: () => payments(options),
    events,
    url,
    async ask(
      method: string,
      path: string,
      { body, headers = own }: { body?: object; headers?: Record<string, string> } = {},
    ): Promise<Answer> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers: { connection: "close", ...headers }, ...sent });
      return { status: response.status, headers: response.headers, json: Object(await response.json()) };
    },
    /** Sends a notification of the provider, and returns the status. */
    async notify(event: PaymentEvent): Promise<number> {
      const { body, headers } = signNotification(event, "genuine", secrets);
      const sent = { method: "POST", headers: { connection: "close", ...headers }, body: new Uint8Array(body) };
      const response = await fetch(`${url}/webhook`, sent);
      await response.text();
      return response.status;
    },
    posted: (account = "ann") => balances.balance(account).posted,
    async [Symbol.asyncDispose]() {
      await mounted.stop();
      await host.close();
      await acme.close();
    },
  };
}

/** The event of a payment of the counter that was paid. */
export function paid(payment: string, overrides: Partial<Extract<PaymentEvent, { type: "payment.paid" }>> = {}) {
  const receipt = { reference: `ref_${payment}`, at: new Date(), tax: 0n };
  const money = { amount: 1_000n, currency: "USD" };
  const common = { id: `evt_${crypto.randomUUID()}`, provider: "acme-pay", live: false, at: new Date() };
  return { ...common, type: "payment.paid", payment, paid: money, receipt, ...overrides } as const;
}

/** The event of a dispute of a payment of the counter. */
export function dispute(payment: string, type: "dispute.opened" | "dispute.won" | "dispute.lost") {
  const money = { amount: 1_000n, currency: "USD" };
  const common = { id: `evt_${crypto.randomUUID()}`, provider: "acme-pay", live: false, at: new Date() };
  return { ...common, type, reference: `ref_${payment}`, dispute: "dp_1", disputed: money, charged: money };
}

export const dollars = (text: string): bigint => parseAmount(text);
