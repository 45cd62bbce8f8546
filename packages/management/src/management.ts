import type { Mountable } from "@tollgate/core";
import { mount, routeTable } from "@tollgate/core/internal";
import { assembleManagement, type ManagementOptions } from "./assemble-management.ts";
import { respondAsOperator } from "./http/respond-as-operator.ts";
import type { ManagementServices } from "./operations/context.ts";
import { managementRoutes } from "./route-table.ts";

/**
 * Returns the management API of a gateway as a Mountable, which any adapter mounts at any prefix. Nothing is answered
 * without `authorize`. Throws a TypeError that lists all problems of the options.
 *
 * @example
 * const api = management({ gateway, stores, authorize: basicLogin({ user: "ann", password }) });
 * app.use("/manage", tollgate(api));
 */
export function management(options: ManagementOptions): Mountable {
  const services = assembleManagement("management", options);
  const { routes, handlers } = managementEndpoints(services, "");
  return mount(services, { basePath: options.basePath ?? "", cors: undefined, routes: routeTable(routes), handlers });
}

/**
 * Returns the endpoints of the management API below a prefix of the mount, such as "/api", and the handler of each by its
 * name. "" is the mount itself.
 */
export function managementEndpoints(services: ManagementServices, prefix: string) {
  return {
    routes: managementRoutes.map(({ name, method, path }) => ({ name, method, pattern: `${prefix}${path}` })),
    handlers: Object.fromEntries(managementRoutes.map((route) => [route.name, respondAsOperator(services, route)])),
  };
}
