import type { BodyServices, MountServices } from "@tollgate/core/internal";
import type { Authorize } from "./authorization/authorize.ts";
import type { ManagedGateway } from "./managed-gateway.ts";
import type { OperationContext } from "./operations/context.ts";

/** All objects that live as long as a management API. */
export interface ManagementServices extends MountServices, BodyServices, OperationContext {
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
