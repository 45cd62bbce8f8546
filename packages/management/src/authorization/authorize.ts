import type { GatewayError } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";

/** What an operator may do. Each role includes the one before it: a viewer reads, an operator manages keys, an admin posts money. */
export type Role = "viewer" | "operator" | "admin";

/** The roles, from the least to the most. */
export const roles: readonly Role[] = ["viewer", "operator", "admin"];

/** The person or program that makes a request. */
export interface Operator {
  /** The name in the audit log. */
  readonly actor: string;
  readonly role: Role;
}

/** The part of a request by which `authorize` decides. A Fetch Request has these members too. */
export interface OperatorRequest {
  readonly method: string;
  /** The URL, or its path and query, with the prefix of the mount. */
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** Undefined if it is unknown or may be that of a proxy. */
  readonly clientAddress?: string | undefined;
}

/**
 * Returns who makes a request; or a Response for everybody else, such as a redirect to the login of the host. A
 * GatewayError that it throws is answered as an error, and any other throw with 500.
 */
export interface Authorize {
  (request: OperatorRequest): Awaitable<Operator | Response>;
  /**
   * Decides a visit of the page `sign-out`: returns the error by which the browser forgets who it was, or undefined for a
   * visit that was refused before. Absent: the page links to `signOutUrl`, if the host has one.
   */
  readonly signOut?: (request: OperatorRequest) => GatewayError | undefined;
}
