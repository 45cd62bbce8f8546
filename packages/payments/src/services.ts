import type { Awaitable, BodyServices, HostRequest, MountServices } from "@tollgate/core/internal";
import type { AccountAdmin, AuditLog } from "@tollgate/core/store";
import type { EventRules } from "./change.ts";
import type { Product } from "./payment.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { PaymentStore } from "./payment-store.ts";
import type { PaymentsListener } from "./payments-event.ts";

/** The customer who makes a request. */
export interface Customer {
  readonly account: string;
}

/**
 * Returns who makes a request, from the host's own login; a Response for everybody else, such as a redirect to the login; or
 * undefined, which is answered with 401. A GatewayError that it throws is answered as an error, and any other throw with 500.
 */
export type AuthorizeCustomer = (request: HostRequest) => Awaitable<Customer | Response | undefined>;

/** Freezes the account of a disputed payment. */
export type Freezer = Pick<AccountAdmin, "freeze">;

/** Where freezes of disputed payments are recorded. */
export type FreezeLog = Pick<AuditLog, "append">;

/** All objects that live as long as the payments of a gateway. */
export interface PaymentServices extends MountServices, BodyServices {
  readonly store: PaymentStore;
  readonly provider: PaymentProvider;
  readonly products: ReadonlyMap<string, Product>;
  readonly authorize: AuthorizeCustomer;
  /** Undefined: a dispute freezes no account. */
  readonly freezeOnDispute: Freezer | undefined;
  /** Undefined: freezes are not recorded. */
  readonly audit: FreezeLog | undefined;
  readonly rules: EventRules;
  /** Origins whose pages may make changes, besides that of the request's host. */
  readonly origins: ReadonlySet<string>;
  readonly tell: PaymentsListener;
  /** Calls a store. Rejects with 503 when it fails or takes longer than its timeout. */
  ask<T>(call: () => Awaitable<T>): Promise<T>;
}

/** An account has at most this many checkouts that its customer can still pay. */
export const maxOpen = 5;
