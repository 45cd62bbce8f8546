import { requestUrl } from "@tollgate/core/internal";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute, type ManagementRoute } from "../routes/route.ts";
import { anyObject } from "../schemas/answers.ts";
import { describeApi } from "./describe-api.ts";

const path = "/openapi.json";

/** Returns the route of the OpenAPI document of other routes, with the path of the mount as its server: GET /openapi.json. */
export function openApiRoute(routes: readonly ManagementRoute[]): ManagementRoute {
  let document: object | undefined;
  return defineRoute({
    name: "openapi",
    method: "GET",
    path,
    role: "viewer",
    summary: "The OpenAPI document of this API",
    query: noQuery,
    body: noBody,
    answer: anyObject,
    handle: async (_services, { context }) => {
      document ??= describeApi(routes);
      const url = requestUrl(context.request).pathname.slice(0, -path.length) || "/";
      return { ...document, servers: [{ url }] };
    },
  });
}
