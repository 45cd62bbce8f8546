import type { EndpointHandler, GatewayResponse, RequestContext } from "@tollgate/core/internal";
import { identifyOperator, requireRole } from "../authorization/identify-operator.ts";
import { requireSameOrigin } from "../authorization/require-same-origin.ts";
import type { ManagementServices } from "../services.ts";
import type { ManagementRoute } from "./route.ts";

/** Answers are for the operator alone, and are never a page. */
const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Returns the handler of a route: who asks, with which role, from which page, and then the route itself. */
export function respondAsOperator(
  services: ManagementServices,
  route: ManagementRoute,
): EndpointHandler<ManagementServices> {
  return async (_, context, encodedId) => {
    Object.assign(context.meta.headers, commonHeaders);
    const found = await identifyOperator(services.authorize, context.request);
    if ("response" in found) return withHeaders(found.response, context);
    requireRole(found.operator, route.role);
    if (route.method !== "GET") requireSameOrigin(context.request, services.origins);
    return route.respond(services, { context, operator: found.operator, id: decodeId(encodedId) });
  };
}

const withHeaders = (response: GatewayResponse, { meta }: RequestContext): GatewayResponse => ({
  ...response,
  headers: { ...meta.headers, ...response.headers },
});

/** Returns an id with invalid percent-encoding unchanged. */
function decodeId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
