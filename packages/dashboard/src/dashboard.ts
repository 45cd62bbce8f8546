import type { Mountable } from "@tollgate/core";
import { type EndpointHandler, mount, routeTable } from "@tollgate/core/internal";
import type { ManagementOptions } from "@tollgate/management";
import { assembleManagement, type ManagementServices, managementEndpoints } from "@tollgate/management/internal";
import { acceptBarePrefix } from "./page/accept-bare-prefix.ts";
import { pageHeaders } from "./page/page-headers.ts";
import { pageRoutes } from "./page/page-routes.ts";
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
  const { basePath = "" } = options;
  const mounted = mount(services, {
    basePath,
    cors: undefined,
    routes: routeTable([...pageRoutes, ...api.routes]),
    handlers: { ...mapValues(api.handlers, withPageHeaders), page: respondWithPage },
  });
  return acceptBarePrefix(mounted, basePath);
}

type Handler = EndpointHandler<ManagementServices>;

/** The answers of the API come from the origin of the page, so they have its policy too. */
const withPageHeaders =
  (handler: Handler): Handler =>
  (services, exchange, id) => {
    Object.assign(exchange.headers, pageHeaders);
    return handler(services, exchange, id);
  };

const mapValues = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
