import type { Mountable } from "@tollgate/core";
import { type EndpointHandler, mount, routeTable } from "@tollgate/core/internal";
import type { ManagementOptions } from "@tollgate/management";
import {
  acceptBarePrefix,
  assembleManagement,
  type ManagementServices,
  managementEndpoints,
  pageHeaders,
  pageRoutes,
} from "@tollgate/management/internal";
import { pageNames } from "./page/load-page.ts";
import { respondWithPage } from "./page/respond-with-page.ts";

/**
 * Returns the dashboard of a gateway as a Mountable, which any adapter mounts at any prefix: the page, and the management
 * API below `api/`. Nothing of either is answered without `authorize`. Throws a TypeError that lists all problems of the
 * options.
 *
 * @example
 * const page = dashboard({ gateway, stores, authorize: basicLogin({ user: "ann", password }), routerUrl: "/router/v1" });
 * app.use("/tollgate", tollgate(page));
 */
export function dashboard(options: ManagementOptions): Mountable {
  const services = assembleManagement("dashboard", options);
  const api = managementEndpoints(services, "/api");
  const answers = Object.entries(api.handlers).map(([name, handler]) => [name, withPageHeaders(handler)] as const);
  const { basePath = "" } = options;
  const mounted = mount(services, {
    basePath,
    cors: undefined,
    routes: routeTable([...pageRoutes(pageNames), ...api.routes]),
    handlers: { ...Object.fromEntries(answers), page: respondWithPage },
  });
  return acceptBarePrefix(mounted, basePath);
}

/** The answers of the API come from the origin of the page, so they have its policy too. */
const withPageHeaders =
  (handler: EndpointHandler<ManagementServices>): EndpointHandler<ManagementServices> =>
  (services, exchange, id) => {
    Object.assign(exchange.headers, pageHeaders);
    return handler(services, exchange, id);
  };
