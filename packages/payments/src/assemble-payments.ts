import { consoleObserver, type Gateway, type GatewayState, type Observer } from "@tollgate/core";
import {
  arrayOf,
  callStoreWithTimeout,
  functionValue,
  optionMembers,
  port,
  requireOptions,
  SharedTicker,
  shielded,
  wanted,
  wholeNumber,
} from "@tollgate/core/internal";
import * as v from "valibot";
import type { PaymentProvider } from "./payment-provider.ts";
import type { PaymentStore } from "./payment-store.ts";
import { type PaymentsListener, printProblems } from "./payments-event.ts";
import { byId, type ProductOption, productsSchema } from "./products.ts";
import type { AuthorizeCustomer, FreezeLog, Freezer, PaymentServices } from "./services.ts";

/** Options of {@link payments}. */
export interface PaymentsOptions {
  /** The gateway. When it drains, this process tops no account up any more. */
  readonly gateway: PaidGateway;
  /** Where payments are kept, in the database of the balances. */
  readonly store: PaymentStore;
  readonly provider: PaymentProvider;
  readonly products: readonly ProductOption[];
  /** Says which account a request is of, from the host's own login. */
  readonly authorize: AuthorizeCustomer;
  /** Present: a dispute freezes its account in this store, until an operator thaws it. Usually the balance store. */
  readonly freezeOnDispute?: Freezer;
  /**
   * Records each freeze by a dispute as `account.freeze`, with the actor `payments:` and the name of the provider. Usually the
   * `stores.audit` of management. Absent: freezes are not recorded.
   */
  readonly audit?: FreezeLog;
  /** True: refunds and disputes may make a balance negative. Default: they take what is left, at most. */
  readonly refundsBelowZero?: boolean;
  /**
   * Origins whose pages may make changes, besides that of the request's `Host`: for a proxy that changes `Host`, with
   * browsers that send no `Sec-Fetch-Site`.
   */
  readonly origins?: readonly string[];
  /** The path of the mount that `fetch` assumes where no adapter sets one; "". */
  readonly basePath?: string;
  /** The timeout of a store, in milliseconds; 5,000. */
  readonly storeTimeoutMs?: number;
  /** Receives an event for each request. Absent: errors of the server go to `console.error`, each once per minute. */
  readonly observer?: Observer;
  /** Receives what happens to payments. Absent: what the operator has to look at goes to `console.error`. */
  readonly onEvent?: PaymentsListener;
}

/** What payments need of a gateway. */
export type PaidGateway = Pick<Gateway, "unread"> & { inspect(): Pick<GatewayState, "draining"> };

const schemaFor = (priceProblem: PaymentProvider["priceProblem"]) =>
  optionMembers("the options of payments", {
    gateway: port<PaidGateway>("a gateway", ["inspect"], "createGateway(...)"),
    store: port<PaymentStore>("a payment store", ["begin", "apply", "dueTopUps"], "memoryPaymentStore({ balances })"),
    provider: providerSchema,
    products: productsSchema(priceProblem),
    authorize: functionValue<AuthorizeCustomer>("Pass (request) => ({ account }), from your own login"),
    freezeOnDispute: v.exactOptional(
      port<Freezer>("a store that can freeze accounts", ["freeze"], "memoryBalanceStore()"),
    ),
    audit: v.exactOptional(port<FreezeLog>("an audit log", ["append"], "memoryAuditLog()")),
    refundsBelowZero: v.exactOptional(v.boolean(wanted("must be true or false")), false),
    origins: v.exactOptional(
      arrayOf(
        "origins",
        v.custom<string>(
          (value) => typeof value === "string" && /^https?:\/\/[^/]+$/.test(value),
          wanted('must be an origin, such as "https://app.example"'),
        ),
      ),
      [],
    ),
    basePath: v.exactOptional(v.string(wanted("must be a path")), ""),
    storeTimeoutMs: v.exactOptional(wholeNumber(), 5_000),
    observer: v.exactOptional(functionValue<Observer>("Pass (event) => ...")),
    onEvent: v.exactOptional(functionValue<PaymentsListener>("Pass (event) => ...")),
  });

const providerSchema = port<PaymentProvider>(
  "a payment provider",
  ["priceProblem", "checkout", "charge", "readEvent", "movements"],
  "stripeProvider(...)",
);

const bodies = { stalledMs: 10_000, slowAfterMs: 10_000, minBytesPerSecond: 1_024, waitMs: 2_000 };

/** Creates the services of payments. Throws a TypeError that lists all problems of the options. */
export function assemblePayments(options: PaymentsOptions): {
  readonly services: PaymentServices;
  readonly isDraining: () => boolean;
  readonly basePath: string;
} {
  const checked = requireOptions("payments", schemaFor(priceProblemOf(options)), options);
  const { gateway, store, provider, authorize, storeTimeoutMs, observer, onEvent = printProblems } = checked;
  const services: PaymentServices = {
    store,
    provider,
    products: byId(checked.products),
    authorize,
    freezeOnDispute: checked.freezeOnDispute,
    audit: checked.audit,
    rules: { refundsBelowZero: checked.refundsBelowZero },
    origins: new Set(checked.origins),
    tell: shielded(onEvent),
    ask: async (call) => callStoreWithTimeout(storeTimeoutMs, call, () => true),
    unread: gateway.unread,
    observe: shielded(observer ?? consoleObserver()),
    observed: observer !== undefined,
    maxBodyBytes: 65_536,
    bodies,
    ticker: new SharedTicker(bodies.waitMs),
  };
  return { services, isDraining: () => gateway.inspect().draining, basePath: checked.basePath };
}

/** Products are checked by the provider, if there is one. */
function priceProblemOf({ provider }: PaymentsOptions): PaymentProvider["priceProblem"] {
  return v.is(providerSchema, provider) ? (price) => provider.priceProblem(price) : () => undefined;
}
