import type { Gateway } from "@tollgate/core";
import type { AssistantAdmin } from "@tollgate/core/extension";
import type { Awaitable, BodyServices, MountServices } from "@tollgate/core/internal";
import type {
  AccountAdmin,
  AuditLog,
  BalanceStore,
  ContentStore,
  KeyAdmin,
  NoticeOutbox,
  ResponseStore,
  SessionAdmin,
  SessionStore,
  TermsAcceptance,
  TermsAdmin,
  UsageStore,
} from "@tollgate/core/store";
import type { Authorize } from "../authorization/authorize.ts";
import type { PaymentRecords } from "./payment-records.ts";

/** The stores that the management API shows and changes. The routes of a store that is absent answer 404. One object may be several of them. */
export interface ManagementStores {
  readonly keys?: KeyAdmin;
  readonly accounts?: AccountAdmin;
  readonly balances?: BalanceStore;
  readonly terms?: TermsAdmin;
  readonly usage?: UsageStore;
  readonly sessions?: SessionStore & SessionAdmin;
  /** The stored responses of the Responses API, for exporting and forgetting accounts. */
  readonly responses?: ResponseStore;
  readonly content?: ContentStore;
  /** The payments of customers, for exporting and forgetting accounts: the option `store` of `payments()`. */
  readonly payments?: PaymentRecords;
  /** The outbox of notices, for Health: usually the balance store. */
  readonly notices?: NoticeOutbox;
  /** Without it, nothing can be changed. */
  readonly audit?: AuditLog;
}

/** The name of a store in the option `stores`. */
export type StoreName = keyof ManagementStores;

/** What every operation works on, whether a request of the API or a command calls it. */
export interface OperationContext {
  readonly stores: ManagementStores;
  /** Undefined on the command line, which has the stores alone. */
  readonly gateway: ManagedGateway | undefined;
  /** Calls a store, for at least `patienceMs` milliseconds. Rejects as the caller wants when the store fails or takes longer. */
  ask<T>(call: () => Awaitable<T>, patienceMs?: number): Promise<T>;
  /** Records that an account accepted a version of the terms. */
  acceptTerms(account: string, versionId: string): Promise<TermsAcceptance>;
  /** Returns the error for a store that the host has not passed. */
  missing(store: StoreName): Error;
}

/** Returns a store. Throws the error of the context if the host has not passed it. */
export function requireStore<Name extends StoreName>(
  context: Pick<OperationContext, "stores" | "missing">,
  name: Name,
): NonNullable<ManagementStores[Name]> {
  const store = context.stores[name];
  if (store !== undefined) return store;
  throw context.missing(name);
}

/** For calls that may read many rows of usage. */
export const usagePatienceMs = 30_000;

/** A gateway, with assistants or without. */
export type ManagedGateway = Gateway & Partial<AssistantAdmin>;

/** What an API over operations works on. */
export interface OperationServices extends MountServices, BodyServices, OperationContext {
  readonly gateway: ManagedGateway;
}

/** All objects that live as long as a management API. */
export interface ManagementServices extends OperationServices {
  readonly authorize: Authorize;
  /** Origins whose pages may make changes, besides that of the request's host. */
  readonly origins: ReadonlySet<string>;
  /** What else needs a person, each as a sentence. */
  problems(): Awaitable<readonly string[]>;
  readonly currency: string | null;
  readonly routerUrl: string | null;
  readonly sessionsUrl: string | null;
  /** Relative to the page, or of the host. Null: the page has no link to sign out. */
  readonly signOutUrl: string | null;
}
