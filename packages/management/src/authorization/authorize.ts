import { GatewayError } from "@tollgate/core";
import { type Awaitable, type ClientRequest, type GatewayResponse, wanted } from "@tollgate/core/internal";
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

/** Asks the host who makes a request. Returns the response of the host, in the form of the gateway, for a stranger. */
export async function identifyOperator(
  authorize: Authorize,
  request: ClientRequest,
): Promise<{ readonly operator: Operator } | { readonly response: GatewayResponse }> {
  const answer = await authorize(operatorRequest(request));
  if (isResponse(answer)) return { response: await toGatewayResponse(answer) };
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

/** Returns the part of a request by which `authorize` decides. */
export function operatorRequest(request: ClientRequest): OperatorRequest {
  const get = (name: string): string | null => request.header(name.toLowerCase()) ?? null;
  const { method, url, clientAddress } = request;
  return { method, url, clientAddress, headers: { get, has: (name) => get(name) !== null } };
}

/** The host may have a Response class of its own, such as that of another fetch implementation. */
const isResponse = (answer: Operator | Response | undefined): answer is Response =>
  answer instanceof Response ||
  (typeof answer === "object" && answer !== null && "status" in answer && "headers" in answer);

async function toGatewayResponse(response: Response): Promise<GatewayResponse> {
  // The headers of a GatewayResponse are a record, and cookies cannot be joined with a comma.
  if (response.headers.getSetCookie().length > 1) {
    throw new TypeError(
      "`authorize` returned a Response with several Set-Cookie headers. Return one with at most one.",
    );
  }
  const text = await response.text();
  const { "content-length": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: text === "" ? null : text };
}
