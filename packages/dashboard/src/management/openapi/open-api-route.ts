import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute, type ManagementRoute } from "../routes/route.ts";
import { anyObject } from "../schemas/answers.ts";
import { describeApi } from "./describe-api.ts";

/** Returns the route of the OpenAPI document of other routes: GET /openapi.json. */
export function openApiRoute(routes: readonly ManagementRoute[]): ManagementRoute {
  let document: object | undefined;
  return defineRoute({
    name: "openapi",
    method: "GET",
    path: "/openapi.json",
    role: "viewer",
    summary: "The OpenAPI document of this API",
    query: noQuery,
    body: noBody,
    answer: anyObject,
    handle: async () => {
      document ??= describeApi(routes);
      return document;
    },
  });
}
