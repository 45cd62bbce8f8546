import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { payments } from "@tollgate/payments";
import { stripeProvider } from "@tollgate/stripe";
import Stripe from "stripe";
import { openPayments } from "./open-payments.ts";
import type { StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** The task of a process that sells credit. */
export interface PaymentsTask {
  readonly store: StoreAddress;
  readonly stripe: { readonly port: number; readonly apiKey: string; readonly signingSecret: string };
  readonly products: readonly {
    readonly id: string;
    readonly cents: number;
    readonly credit: string;
    readonly bonus: string;
  }[];
  /** Kills itself before this statement, counted from the first request. Absent: never. */
  readonly killAt?: number;
}

const { store: address, stripe: api, products, killAt } = readTask<PaymentsTask>();
let isServing = false;
let statements = 0;
const { payments: store, balances } = openPayments(address, () => {
  if (isServing && ++statements === killAt) process.kill(process.pid, "SIGKILL");
});
const upstream = openaiCompatible({ baseURL: "http://127.0.0.1:1/v1", apiKey: "none" });
const counter = payments({
  gateway: createGateway({
    keys: memoryKeyStore(),
    balances,
    plans: [{ id: "internal", billing: "none" }],
    models: [{ id: "model", maxOutputTokens: 1_000, price: "free", targets: [{ provider: upstream, model: "model" }] }],
  }),
  store,
  provider: stripeProvider({
    stripe: new Stripe(api.apiKey, { host: "127.0.0.1", port: api.port, protocol: "http", telemetry: false }),
    live: false,
    webhookSecrets: [api.signingSecret],
    successUrl: "https://acme.example/paid",
    cancelUrl: "https://acme.example/billing",
  }),
  products: products.map(({ id, cents, credit, bonus }) => ({
    ...{ id, price: { amount: cents, currency: "USD" }, credit },
    ...(bonus === "0" ? {} : { bonus }),
  })),
  authorize: (request) => ({ account: request.headers.get("x-account") ?? "" }),
  refundsBelowZero: true,
  observer: () => undefined,
  onEvent: () => undefined,
});
// Automatic top-ups ask the store too, and would make the count of statements depend on the clock.
void counter.stop();
const server = createServer(nodeHandler(counter, { prefix: "/payments" }));
server.listen(0, "127.0.0.1", () => {
  isServing = true;
  // An address of TCP, not the path of a socket.
  const { port } = server.address() as AddressInfo;
  process.send?.({ port });
});
