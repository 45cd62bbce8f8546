import { GatewayError } from "@tollgate/core";
import { type Awaitable, callStoreWithTimeout } from "@tollgate/core/internal";
import type {
  AccountAdmin,
  AuditLog,
  BalanceStore,
  ContentStore,
  KeyAdmin,
  NoticeOutbox,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  UsageStore,
} from "@tollgate/core/store";

/** The stores that the management API shows and changes. The routes of a store that is absent answer 404. One object may be several of them. */
export interface ManagementStores {
  readonly keys?: KeyAdmin;
  readonly accounts?: AccountAdmin;
  readonly balances?: BalanceStore;
  readonly terms?: TermsAdmin;
  readonly usage?: UsageStore;
  readonly sessions?: SessionStore & SessionAdmin;
  readonly content?: ContentStore;
  /** The outbox of notices, for Health: usually the balance store. */
  readonly notices?: NoticeOutbox;
  /** Without it, nothing can be changed. */
  readonly audit?: AuditLog;
}

/** The name of a store in the option `stores`. */
export type StoreName = keyof ManagementStores;

/** The stores of a management API, and how long each call of them may take, in milliseconds. */
export interface StoreCalls {
  readonly stores: ManagementStores;
  readonly storeTimeoutMs: number;
}

/** Returns a store. Throws 404 if the host has not passed it. */
export function requireStore<Name extends StoreName>(
  { stores }: StoreCalls,
  name: Name,
): NonNullable<ManagementStores[Name]> {
  const store = stores[name];
  if (store !== undefined) return store;
  throw new GatewayError(
    "not_configured",
    `This gateway has no \`stores.${name}\`, which this needs. Pass \`stores: { ${name} }\` to management().`,
  );
}

const patientTimeoutMs = 30_000;

/** Lengthens the timeout for calls that may read many rows of usage. */
export const patiently = <Calls extends StoreCalls>(calls: Calls): Calls => ({
  ...calls,
  storeTimeoutMs: Math.max(calls.storeTimeoutMs, patientTimeoutMs),
});

/** Calls a store. A throw or a late answer becomes 503. */
export async function askStore<T>({ storeTimeoutMs }: StoreCalls, call: () => Awaitable<T>): Promise<T> {
  return callStoreWithTimeout(storeTimeoutMs, call, () => true);
}
