import type { Gateway, Mountable } from "@tollgate/core";
import { jsonResponse, type MountServices, mount, routeTable } from "@tollgate/core/internal";
import type { Authorize } from "./authorize.ts";
import { openApi } from "./openapi.ts";

/** Options of {@link management}. */
export interface ManagementOptions {
  readonly gateway: Gateway;
  /** Decides who may use the API. */
  readonly authorize: Authorize;
}

/** Returns the management API of a gateway, which every adapter mounts. Throws a TypeError without `authorize`. */
export function management({ gateway, authorize }: ManagementOptions): Mountable {
  if (typeof authorize !== "function") {
    throw new TypeError("management: pass `authorize`, for example `managementTokens([...])`.");
  }
  const services: MountServices = { unread: gateway.unread, observe: () => undefined, observed: false };
  return mount(services, {
    basePath: "",
    cors: undefined,
    routes: routeTable([{ name: "openapi", method: "GET", pattern: "/openapi.json" }]),
    handlers: { openapi: async (_, { meta }) => jsonResponse(200, meta.headers, openApi()) },
  });
}
