import { consoleObserver, GatewayError, type Observer } from "@tollgate/core";
import {
  arrayOf,
  callStoreWithTimeout,
  functionValue,
  port,
  SharedTicker,
  wanted,
  wholeNumber,
} from "@tollgate/core/internal";
import * as v from "valibot";
import type { ManagedGateway, ManagementStores, OperationServices, StoreName } from "./context.ts";

type Stores = Required<ManagementStores>;

/** The schemas of the stores in the options of an API over operations. */
export const storeOptions = {
  keys: v.exactOptional(port<Stores["keys"]>("a key store", ["list", "get", "update"], "memoryKeyStore()")),
  accounts: v.exactOptional(
    port<Stores["accounts"]>("a store of accounts", ["listAccounts", "spendOf"], "memoryBalanceStore()"),
  ),
  balances: v.exactOptional(port<Stores["balances"]>("a balance store", ["entries", "credit"], "memoryBalanceStore()")),
  terms: v.exactOptional(port<Stores["terms"]>("a terms store", ["listAcceptances"], "memoryTermsStore()")),
  usage: v.exactOptional(
    port<Stores["usage"]>("a usage store", ["summary", "attempts", "list", "forget"], "memoryUsageStore()"),
  ),
  sessions: v.exactOptional(
    port<Stores["sessions"]>("a session store", ["listSessions", "messages", "forget"], "memorySessionStore()"),
  ),
  responses: v.exactOptional(
    port<Stores["responses"]>("a response store", ["list", "input", "forget"], "memoryResponseStore()"),
  ),
  content: v.exactOptional(
    port<Stores["content"]>("a content store", ["find", "list", "remove"], "memoryContentStore()"),
  ),
  payments: v.exactOptional(
    port<Stores["payments"]>("a payment store", ["list", "topUp", "forget"], "memoryPaymentStore({ balances })"),
  ),
  notices: v.exactOptional(port<Stores["notices"]>("an outbox of notices", ["waitingNotices"], "memoryBalanceStore()")),
  audit: v.exactOptional(port<Stores["audit"]>("an audit log", ["append", "list"], "memoryAuditLog()")),
};

/** The schema of the option `gateway`. */
export const gatewayOption = port<ManagedGateway>("a gateway", ["inspect", "fetch"], "createGateway(...)");

/** The schema of the option `origins`. */
export const originsOption = arrayOf(
  "origins",
  v.custom<string>(
    (value) => typeof value === "string" && /^https?:\/\/[^/]+$/.test(value),
    wanted('must be an origin, such as "https://admin.example"'),
  ),
);

/** The schemas of the options that every API over operations has. */
export const commonOptions = {
  storeTimeoutMs: v.exactOptional(wholeNumber()),
  observer: v.exactOptional(functionValue<Observer>("Pass (event) => ...")),
};

const bodies = { stalledMs: 30_000, slowAfterMs: 60_000, minBytesPerSecond: 1_024, waitMs: 2_000 };
const defaultStoreTimeoutMs = 2_000;

interface ServiceOptions {
  readonly gateway: ManagedGateway;
  readonly stores: ManagementStores;
  readonly storeTimeoutMs?: number;
  readonly observer?: Observer;
}

/** Creates what the operations of an API work on. `factory` is the function that the host has called. */
export function operationServices(
  factory: string,
  { gateway, stores, storeTimeoutMs = defaultStoreTimeoutMs, observer }: ServiceOptions,
): OperationServices {
  return {
    gateway,
    stores,
    ask: async (call, patienceMs = 0) => callStoreWithTimeout(Math.max(storeTimeoutMs, patienceMs), call, () => true),
    acceptTerms: (account, versionId) => gateway.terms.accept(account, versionId),
    missing: (name) => storeMissing(name, factory),
    unread: gateway.unread,
    observe: observer ?? consoleObserver(),
    observed: observer !== undefined,
    maxBodyBytes: 65_536,
    bodies,
    ticker: new SharedTicker(bodies.waitMs),
  };
}

const storeMissing = (name: StoreName, factory: string): GatewayError =>
  new GatewayError(
    "not_configured",
    `This gateway has no \`stores.${name}\`, which this needs. Pass \`stores: { ${name} }\` to ${factory}().`,
  );
