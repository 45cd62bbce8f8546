import type { Mountable } from "@tollgate/core";
import { type EndpointHandler, mount, type Route, routeTable } from "@tollgate/core/internal";
import { assemblePayments, type PaymentsOptions } from "./assemble-payments.ts";
import { asCustomer } from "./http/as-customer.ts";
import { checkout, listPayments, listProducts, readTopUp, removeTopUp, setTopUp } from "./http/customer-endpoints.ts";
import { receiveNotification } from "./http/receive-notification.ts";
import type { PaymentServices } from "./services.ts";
import { repeatTopUps } from "./top-ups/repeat-top-ups.ts";

/** The payments of a gateway, which any adapter mounts. */
export interface Payments extends Mountable {
  /** Ends the automatic top-ups of this process. Resolves when a running one has ended. */
  stop(): Promise<void>;
}

/**
 * Returns the payments of a gateway as a Mountable, which any adapter mounts at any prefix, before the body parsers of the host.
 * It tops accounts up by itself until `stop` or until the gateway drains. Throws a TypeError that lists all problems of the options.
 *
 * @example
 * const counter = payments({ gateway, store, provider, products, authorize });
 * app.use("/payments", tollgate(counter));
 */
export function payments(options: PaymentsOptions): Payments {
  const { services, isDraining, basePath } = assemblePayments(options);
  const stop = repeatTopUps(services, isDraining);
  const mounted = mount(services, { basePath, cors: undefined, routes: routeTable(routes), handlers });
  return { ...mounted, stop };
}

const handlers = {
  checkout: asCustomer(checkout),
  products: asCustomer(listProducts),
  payments: asCustomer(listPayments),
  readTopUp: asCustomer(readTopUp),
  setTopUp: asCustomer(setTopUp),
  removeTopUp: asCustomer(removeTopUp),
  webhook: receiveNotification,
} satisfies Record<string, EndpointHandler<PaymentServices>>;

const routes: readonly Route<keyof typeof handlers>[] = [
  { name: "checkout", method: "POST", pattern: "/checkout" },
  { name: "products", method: "GET", pattern: "/products" },
  { name: "payments", method: "GET", pattern: "/payments" },
  { name: "readTopUp", method: "GET", pattern: "/top-up" },
  { name: "setTopUp", method: "PUT", pattern: "/top-up" },
  { name: "removeTopUp", method: "DELETE", pattern: "/top-up" },
  { name: "webhook", method: "POST", pattern: "/webhook" },
];
