import { GatewayError } from "@tollgate/core";
import {
  type Awaitable,
  type ClientRequest,
  type GatewayResponse,
  type HostRequest,
  hostRequest,
  isHostResponse,
  toGatewayResponse,
  wanted,
} from "@tollgate/core/internal";
import * as v from "valibot";

/** What an operator may do. Each role includes the one before it: a viewer reads, an operator manages keys, an admin posts money. */
export type Role = "viewer" | "operator" | "admin";

/** The roles, from the least to the most. */
export const roles: readonly Role[] = ["viewer", "operator", "admin"];

/** A role in the options of a host. */
export const roleOption = v.picklist(roles, wanted('must be "viewer", "operator" or "admin"'));

/** The person or program that makes a request. */
export interface Operator {
  /** The name in the audit log. */
  readonly actor: string;
  readonly role: Role;
}

/** The part of a request by which `authorize` decides. A Fetch Request has these members too. */
export type OperatorRequest = HostRequest;

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

/** Asks the host who makes a request. Returns the response of the host, in the form of the gateway, for a stranger. */
export async function identifyOperator(
  authorize: Authorize,
  request: ClientRequest,
): Promise<{ readonly operator: Operator } | { readonly response: GatewayResponse }> {
  const answer = await authorize(hostRequest(request));
  if (isHostResponse(answer)) return { response: await toGatewayResponse(answer) };
  if (typeof answer?.actor === "string" && answer.actor !== "" && roles.includes(answer.role)) {
    return { operator: answer };
  }
  throw new TypeError(
    "`authorize` must return { actor, role } with a role of viewer, operator or admin, or a Response.",
  );
}

/** True if the role of the operator is the least role or includes it. */
export const includesRole = ({ role }: Operator, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

/** Throws 403 unless the role of the operator includes the least role. */
export function requireRole(operator: Operator, least: Role): void {
  if (includesRole(operator, least)) return;
  throw new GatewayError(
    "role_required",
    `This needs the role "${least}", and yours is "${operator.role}". Ask somebody with that role.`,
  );
}
