import { listRoute, reportRoute } from "./http/list-routes.ts";
import { answerRoute, type ManagementRoute } from "./http/route.ts";
import { openApiRoute } from "./openapi/open-api-route.ts";
import { type AnyOperation, operations } from "./operation-table.ts";

const routeOf = (operation: AnyOperation): ManagementRoute => {
  if ("page" in operation) return listRoute(operation);
  return "report" in operation ? reportRoute(operation) : answerRoute(operation);
};

/** The routes of the OpenAPI document. */
export const describedRoutes: readonly ManagementRoute[] = operations.map(routeOf);

/** Every route of the management API. */
export const managementRoutes: readonly ManagementRoute[] = [...describedRoutes, openApiRoute(describedRoutes)];
