import { jsonTextResponse, requestUrl } from "@tollgate/core/internal";
import { parametersOf, readQuery } from "./http/read-input.ts";
import { type ManagementRoute, routeOf } from "./http/route.ts";
import { describeApi } from "./openapi/describe-api.ts";
import { operationTable } from "./operation-table.ts";
import type { ExportOperation } from "./operations/exports.ts";
import type { ListOperation, ReportOperation } from "./operations/lists.ts";
import { noBody, noQuery, type Operation } from "./operations/operation.ts";
import { anyObject } from "./schemas/answers.ts";

const openApiPath = "/openapi.json";

const operations: readonly (Operation | ListOperation | ReportOperation | ExportOperation)[] = operationTable;

/** The routes of the OpenAPI document. */
export const describedRoutes: readonly ManagementRoute[] = operations.map(routeOf);

/** Every route of the management API. */
export const managementRoutes: readonly ManagementRoute[] = [...describedRoutes, openApiRoute(describedRoutes)];

/** Returns the route of the OpenAPI document of other routes, with the path of the mount as its server: GET /openapi.json. */
function openApiRoute(routes: readonly ManagementRoute[]): ManagementRoute {
  let document: object | undefined;
  return {
    name: "openapi",
    method: "GET",
    path: openApiPath,
    role: "viewer",
    summary: "The OpenAPI document of this API",
    status: 200,
    query: noQuery,
    body: noBody,
    answer: anyObject,
    exports: [],
    async respond(_services, { request, headers }) {
      readQuery(parametersOf(request), noQuery);
      document ??= describeApi(routes);
      const url = requestUrl(request).pathname.slice(0, -openApiPath.length) || "/";
      return jsonTextResponse(200, headers, JSON.stringify({ ...document, servers: [{ url }] }));
    },
  };
}
