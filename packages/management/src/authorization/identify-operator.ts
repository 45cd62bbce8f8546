import { GatewayError } from "@tollgate/core";
import type { ClientRequest, GatewayResponse } from "@tollgate/core/internal";
import { type Authorize, type Operator, type OperatorRequest, type Role, roles } from "./authorize.ts";

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
