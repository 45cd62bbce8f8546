import type { EndpointHandler, Route } from "@tollgate/core/internal";
import { respondAsOperator } from "./http/respond-as-operator.ts";
import { managementRoutes } from "./route-table.ts";
import type { ManagementServices } from "./services.ts";

/** The endpoints of a mount, and the handler of each by its name. */
export interface Endpoints {
  readonly routes: readonly Route<string>[];
  readonly handlers: Readonly<Record<string, EndpointHandler<ManagementServices>>>;
}

/** Returns the endpoints of the management API below a prefix of the mount, such as "/api"; "" for the mount itself. */
export function managementEndpoints(services: ManagementServices, prefix: string): Endpoints {
  return {
    routes: managementRoutes.map(({ name, method, path }) => ({ name, method, pattern: `${prefix}${path}` })),
    handlers: Object.fromEntries(managementRoutes.map((route) => [route.name, respondAsOperator(services, route)])),
  };
}
