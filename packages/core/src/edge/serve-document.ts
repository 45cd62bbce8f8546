import * as v from "valibot";
import { wanted } from "../options/leaves.ts";
import { jsonResponse } from "../ports/gateway-response.ts";
import { isJsonObject } from "../wire/json.ts";
import type { EndpointHandler, MountServices } from "./mount.ts";

/** An OpenAPI document, such as those of `@tollgate/core/openapi`. Follows https://spec.openapis.org/oas/v3.1.0 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

/** The schema of an option that takes a document. */
export const openApiDocument = (example: string) =>
  v.custom<OpenApiDocument>(
    (value) => isJsonObject(value) && typeof value["openapi"] === "string",
    wanted(`must be an OpenAPI document. Pass ${example} of @tollgate/core/openapi, or leave it out`),
  );

/** The route of the document, which a mount has only with the option. */
export const documentRoute = { name: "openapi", method: "GET", pattern: "/openapi.json" } as const;

/** GET /openapi.json: returns the document, with the path of the mount as its server. It needs no key. */
export function serveDocument(document: OpenApiDocument | undefined, basePath: string): EndpointHandler<MountServices> {
  const copy = structuredClone(document);
  return async (_services, { request, headers }) =>
    jsonResponse(200, headers, { ...copy, servers: [{ url: (request.basePath ?? basePath) || "/" }] });
}
