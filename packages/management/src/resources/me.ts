import { dialectEndpoints } from "@tollgate/core/internal";
import { dialects } from "@tollgate/core/store";
import * as v from "valibot";
import { roles } from "../authorization/authorize.ts";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import type { ManagedGateway } from "../services.ts";
import { version } from "../version.ts";

/** The dialects whose endpoints the router has. */
const servedBy = (gateway: ManagedGateway) =>
  dialects.filter((dialect) => typeof gateway.endpoint("POST", dialectEndpoints[dialect].path) === "string");

/** GET /me: who asks, and what the page needs to know of the host. */
export const showMe = defineRoute({
  name: "me",
  method: "GET",
  path: "/me",
  role: "viewer",
  summary: "Who makes the request, and what the host has configured",
  query: noQuery,
  body: noBody,
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
  handle: async ({ gateway, currency, routerUrl, sessionsUrl, signOutUrl }, { operator: { actor, role } }) => ({
    actor,
    role,
    currency,
    router_url: routerUrl,
    sessions_url: sessionsUrl,
    sign_out_url: signOutUrl,
    served: servedBy(gateway),
    version,
  }),
});
