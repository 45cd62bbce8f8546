import { consoleObserver, GatewayError, type Observer } from "@tollgate/core";
import {
  arrayOf,
  callStoreWithTimeout,
  filledText,
  functionValue,
  optionMembers,
  port,
  requireOptions,
  SharedTicker,
  wanted,
  wholeNumber,
} from "@tollgate/core/internal";
import * as v from "valibot";
import type { Authorize } from "./authorization/authorize.ts";
import type { ManagedGateway, ManagementServices, ManagementStores, StoreName } from "./operations/context.ts";

/** Options of `management`. */
export interface ManagementOptions {
  readonly gateway: ManagedGateway;
  readonly stores: ManagementStores;
  /** Decides who may use the API: `managementTokens`, `basicLogin`, or a function of the host. */
  readonly authorize: Authorize;
  /** The currency of all amounts for display, as in ISO 4217: "USD". */
  readonly currency?: string;
  /**
   * Origins whose pages may make changes, besides that of the request's `Host`: for a proxy that changes `Host`, with
   * browsers that send no `Sec-Fetch-Site`.
   */
  readonly origins?: readonly string[];
  /** Where the router is mounted, such as "/router/v1" or a whole URL: for the snippets and the playground of the page. */
  readonly routerUrl?: string;
  /** Where the session endpoints are mounted. */
  readonly sessionsUrl?: string;
  /** Where the host signs operators out, for the link of the page. Absent: `basicLogin` signs out by itself. */
  readonly signOutUrl?: string;
  /** The path of the mount that `fetch` assumes where no adapter sets one; "". */
  readonly basePath?: string;
  /** The timeout of a store, in milliseconds; 2,000. Sums and lists of usage have at least 30 seconds. */
  readonly storeTimeoutMs?: number;
  /** Receives an event for each request. Absent: errors of the server go to `console.error`, each once per minute. */
  readonly observer?: Observer;
}

type Stores = Required<ManagementStores>;

const storesSchema = optionMembers("`stores`", {
  keys: v.exactOptional(port<Stores["keys"]>("a key store", ["list", "get", "update"], "memoryKeyStore()")),
  accounts: v.exactOptional(
    port<Stores["accounts"]>("a store of accounts", ["listAccounts", "spendOf"], "memoryBalanceStore()"),
  ),
  balances: v.exactOptional(port<Stores["balances"]>("a balance store", ["entries", "credit"], "memoryBalanceStore()")),
  terms: v.exactOptional(port<Stores["terms"]>("a terms store", ["listAcceptances"], "memoryTermsStore()")),
  usage: v.exactOptional(port<Stores["usage"]>("a usage store", ["summary", "attempts", "list"], "memoryUsageStore()")),
  sessions: v.exactOptional(
    port<Stores["sessions"]>("a session store", ["listSessions", "messages"], "memorySessionStore()"),
  ),
  content: v.exactOptional(port<Stores["content"]>("a content store", ["find"], "memoryContentStore()")),
  notices: v.exactOptional(port<Stores["notices"]>("an outbox of notices", ["waitingNotices"], "memoryBalanceStore()")),
  audit: v.exactOptional(port<Stores["audit"]>("an audit log", ["append", "list"], "memoryAuditLog()")),
});

const managementSchema = optionMembers("the options of management", {
  gateway: port<ManagedGateway>("a gateway", ["inspect", "fetch"], "createGateway(...)"),
  stores: storesSchema,
  authorize: functionValue<Authorize>(
    "Nothing is reachable without it: pass `managementTokens([...])` or `basicLogin({ user, password })`",
  ),
  currency: v.exactOptional(filledText),
  origins: v.exactOptional(
    arrayOf(
      "origins",
      v.custom<string>(
        (value) => typeof value === "string" && /^https?:\/\/[^/]+$/.test(value),
        wanted('must be an origin, such as "https://admin.example"'),
      ),
    ),
  ),
  routerUrl: v.exactOptional(filledText),
  sessionsUrl: v.exactOptional(filledText),
  signOutUrl: v.exactOptional(filledText),
  basePath: v.exactOptional(v.string(wanted("must be a path"))),
  storeTimeoutMs: v.exactOptional(wholeNumber()),
  observer: v.exactOptional(functionValue<Observer>("Pass (event) => ...")),
});

const bodies = { stalledMs: 30_000, slowAfterMs: 60_000, minBytesPerSecond: 1_024, waitMs: 2_000 };
const defaultStoreTimeoutMs = 2_000;

/** Creates the services of a management API. Throws a TypeError that lists all problems of the options; `factory` is its name. */
export function assembleManagement(factory: string, options: ManagementOptions): ManagementServices {
  const { gateway, stores, authorize, origins, observer, ...settings } = requireOptions(
    factory,
    managementSchema,
    options,
  );
  const { storeTimeoutMs = defaultStoreTimeoutMs } = settings;
  return {
    gateway,
    stores,
    authorize,
    origins: new Set(origins),
    currency: settings.currency ?? null,
    routerUrl: settings.routerUrl ?? null,
    sessionsUrl: settings.sessionsUrl ?? null,
    signOutUrl: settings.signOutUrl ?? (authorize.signOut === undefined ? null : "sign-out"),
    ask: async (call, patienceMs = 0) => callStoreWithTimeout(Math.max(storeTimeoutMs, patienceMs), call, () => true),
    acceptTerms: (account, versionId) => gateway.terms.accept(account, versionId),
    missing: storeMissing,
    unread: gateway.unread,
    observe: observer ?? consoleObserver(),
    observed: observer !== undefined,
    maxBodyBytes: 65_536,
    bodies,
    ticker: new SharedTicker(bodies.waitMs),
  };
}

const storeMissing = (name: StoreName): GatewayError =>
  new GatewayError(
    "not_configured",
    `This gateway has no \`stores.${name}\`, which this needs. Pass \`stores: { ${name} }\` to management().`,
  );
