import * as v from "valibot";
import { wanted } from "../options/leaves.ts";
import { jsonResponse } from "../ports/gateway-response.ts";
import type { OpenApiDocument } from "../ports/mountable.ts";
import { isJsonObject } from "../wire/json.ts";
import type { EndpointHandler, MountServices } from "./mount.ts";

/** The path under which endpoints are mounted; "" is the root. */
const basePath = v.custom<string>(
  (value) => typeof value === "string" && /^(\/[^/?#]+)*$/.test(value),
  wanted('must begin with a slash and not end with one, such as "/router/v1"'),
);

/** The schemas of the options of a mount: its path, and its document; `example` is such a document. */
export const mountOptions = (example: string) => ({
  basePath: v.exactOptional(basePath),
  openapi: v.exactOptional(
    v.custom<OpenApiDocument>(
      (value) => isJsonObject(value) && typeof value["openapi"] === "string",
      wanted(`must be an OpenAPI document. Pass ${example}, or leave it out`),
    ),
  ),
});

/** The route of the document, which a mount has only with the option. */
export const documentRoute = { name: "openapi", method: "GET", pattern: "/openapi.json" } as const;

/** GET /openapi.json: returns the document, with the path of the mount as its server. It needs no key. */
export function serveDocument(document: OpenApiDocument | undefined, basePath: string): EndpointHandler<MountServices> {
  const copy = structuredClone(document);
  return async (_services, { request, headers }) =>
    jsonResponse(200, headers, { ...copy, servers: [{ url: (request.basePath ?? basePath) || "/" }] });
}
