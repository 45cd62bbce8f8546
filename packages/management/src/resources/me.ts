import { dialectEndpoints } from "@tollgate/core/internal";
import { dialects } from "@tollgate/core/store";
import * as v from "valibot";
import { roles } from "../authorization/authorize.ts";
import type { ManagedGateway, ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { version } from "../version.ts";

/** The dialects whose endpoints the router has. */
const servedBy = (gateway: ManagedGateway) =>
  dialects.filter((dialect) => typeof gateway.endpoint("POST", dialectEndpoints[dialect].path) === "string");

/** GET /me: who asks, and what the page needs to know of the host. */
export const showMe = defineOperation({
  name: "me",
  method: "GET",
  path: "/me",
  role: "viewer",
  summary: "Who makes the request, and what the host has configured",
  answer: v.strictObject({
    actor: v.string(),
    role: v.picklist(roles),
    currency: v.nullable(v.string()),
    router_url: v.nullable(v.string()),
    sessions_url: v.nullable(v.string()),
    sign_out_url: v.nullable(v.string()),
    served: v.array(v.string()),
    version: v.string(),
  }),
  run: async (services: ManagementServices, { operator: { actor, role } }) => ({
    actor,
    role,
    currency: services.currency,
    router_url: services.routerUrl,
    sessions_url: services.sessionsUrl,
    sign_out_url: services.signOutUrl,
    served: servedBy(services.gateway),
    version,
  }),
});
