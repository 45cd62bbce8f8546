import { jsonTextResponse, requestUrl } from "@tollgate/core/internal";
import { parametersOf, readQuery } from "../http/read-query.ts";
import type { ManagementRoute } from "../http/route.ts";
import { noBody, noQuery } from "../operations/operation.ts";
import { anyObject } from "../schemas/answers.ts";
import { describeApi } from "./describe-api.ts";

const path = "/openapi.json";

/** Returns the route of the OpenAPI document of other routes, with the path of the mount as its server: GET /openapi.json. */
export function openApiRoute(routes: readonly ManagementRoute[]): ManagementRoute {
  let document: object | undefined;
  return {
    name: "openapi",
    method: "GET",
    path,
    role: "viewer",
    summary: "The OpenAPI document of this API",
    status: 200,
    query: noQuery,
    body: noBody,
    answer: anyObject,
    exports: [],
    async respond(_services, { context: { request, headers } }) {
      readQuery(parametersOf(request), noQuery);
      document ??= describeApi(routes);
      const url = requestUrl(request).pathname.slice(0, -path.length) || "/";
      return jsonTextResponse(200, headers, JSON.stringify({ ...document, servers: [{ url }] }));
    },
  };
}
