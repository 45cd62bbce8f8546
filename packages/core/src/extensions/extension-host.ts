import type { CorsPolicy } from "../edge/cors.ts";
import { type EndpointHandler, mount, routeTable } from "../edge/mount.ts";
import { documentRoute, serveDocument } from "../edge/serve-document.ts";
import type { ExtensionEndpoint, ExtensionHost, ExtensionMount } from "../ports/extension.ts";
import type { Mountable } from "../ports/mountable.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { contextWindowOf } from "./context-window.ts";
import { RunningRequest } from "./running-request.ts";

/** Returns what a gateway offers its extensions. */
export const extensionHost = (services: Services, cors: CorsPolicy | undefined): ExtensionHost => ({
  storeTimeoutMs: services.storeTimeoutMs,
  observe: services.observe,
  mount: (endpoints) => mountEndpoints(services, cors, endpoints),
  contextWindow: (model) => contextWindowOf(services, model),
});

function mountEndpoints(
  services: Services,
  cors: CorsPolicy | undefined,
  { basePath, variable, openapi, endpoints }: ExtensionMount,
): Mountable {
  const handlers = new Map(endpoints.map((endpoint) => [endpoint.name, handlerOf(endpoint)]));
  return mount(services, {
    basePath,
    variable,
    cors,
    routes: routeTable(openapi === undefined ? endpoints : [...endpoints, documentRoute]),
    handlers: { ...Object.fromEntries(handlers), [documentRoute.name]: serveDocument(openapi, basePath) },
  });
}

/** Admits a request before the endpoint handles it, and releases its slot afterwards, which a stream retains until it ends. */
const handlerOf =
  ({ handle }: ExtensionEndpoint): EndpointHandler<Services> =>
  async (services, exchange, id) => {
    const admission = await admit(services, exchange);
    try {
      return await handle(new RunningRequest(services, admission), id);
    } finally {
      admission.slot.release();
    }
  };
