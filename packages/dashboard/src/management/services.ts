import type { Gateway } from "@tollgate/core";
import type { AssistantAdmin } from "@tollgate/core/extension";
import type { BodyServices, MountServices } from "@tollgate/core/internal";
import type { Authorize } from "./authorization/authorize.ts";
import type { StoreCalls } from "./stores.ts";

/** A gateway, with assistants or without. */
export type ManagedGateway = Gateway & Partial<AssistantAdmin>;

/** All objects that live as long as a management API. */
export interface ManagementServices extends MountServices, BodyServices, StoreCalls {
  readonly gateway: ManagedGateway;
  readonly authorize: Authorize;
  /** Origins whose pages may make changes, besides that of the request's host. */
  readonly origins: ReadonlySet<string>;
  readonly currency: string | null;
  readonly routerUrl: string | null;
  readonly sessionsUrl: string | null;
  /** Relative to the page, or of the host. Null: the page has no link to sign out. */
  readonly signOutUrl: string | null;
}
