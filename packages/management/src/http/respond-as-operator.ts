import { GatewayError } from "@tollgate/core";
import type { ClientRequest, EndpointHandler, Exchange, GatewayResponse } from "@tollgate/core/internal";
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
    if (route.method !== "GET") requireSameOrigin(exchange.request, services.origins);
    return route.respond(services, exchange, found.operator, decodeId(encodedId));
  };
}

const withHeaders = (response: GatewayResponse, { headers }: Exchange): GatewayResponse => ({
  ...response,
  headers: { ...headers, ...response.headers },
});

/** Returns an id with invalid percent-encoding unchanged. */
function decodeId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Throws 403 for a change that a page of another site may have caused. It passes with a bearer token, which no browser
 * adds by itself, with `Sec-Fetch-Site: same-origin`, and, from a browser that does not send that, with an `Origin` whose
 * host is that of the request or is listed.
 */
function requireSameOrigin(request: ClientRequest, listed: ReadonlySet<string>): void {
  if (/^bearer /i.test(request.header("authorization") ?? "")) return;
  const site = request.header("sec-fetch-site");
  const isSame = site === undefined ? hasOwnOrigin(request, listed) : site === "same-origin";
  if (isSame) return;
  throw new GatewayError(
    "origin_refused",
    "This change may come from a page of another site. Send a bearer token; or, if the host of this page differs from that of the request, list its origin in `origins` of management().",
  );
}

function hasOwnOrigin(request: ClientRequest, listed: ReadonlySet<string>): boolean {
  const origin = request.header("origin");
  if (origin === undefined) return false;
  return listed.has(origin) || hostOf(origin) === request.header("host")?.toLowerCase();
}

/** Browsers leave the default port out of both headers. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, "").toLowerCase();
