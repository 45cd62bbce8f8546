import { type EndpointHandler, type Exchange, type GatewayResponse, requireSameOrigin } from "@tollgate/core/internal";
import { identifyOperator, requireRole } from "../authorization/authorize.ts";
import type { ManagementServices } from "../operations/context.ts";
import type { ManagementRoute } from "./route.ts";

/** Answers are for the operator alone, and are never a page. */
const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Returns the handler of a route: who asks, with which role, from which page, and then the route itself. */
export function respondAsOperator(
  services: ManagementServices,
  route: ManagementRoute,
): EndpointHandler<ManagementServices> {
  return async (_, exchange, encodedId) => {
    Object.assign(exchange.headers, commonHeaders);
    const found = await identifyOperator(services.authorize, exchange.request);
    if ("response" in found) return withHeaders(found.response, exchange);
    requireRole(found.operator, route.role);
    if (route.method !== "GET") requireSameOrigin(exchange.request, services.origins, "management");
    return route.respond(services, exchange, found.operator, decodeId(encodedId));
  };
}

const withHeaders = (response: GatewayResponse, { headers }: Exchange): GatewayResponse => ({
  ...response,
  headers: { ...headers, ...response.headers },
});

/** Returns an id with invalid percent-encoding unchanged. */
export function decodeId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
