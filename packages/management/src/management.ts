import type { Mountable } from "@tollgate/core";
import { mount, routeTable } from "@tollgate/core/internal";
import { assembleManagement } from "./assemble-management.ts";
import { managementEndpoints } from "./management-endpoints.ts";
import type { ManagementOptions } from "./management-options.ts";

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
