import * as v from "valibot";
import { version } from "../../version.ts";
import { roles } from "../authorization/authorize.ts";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";

/** The dialects of the router that the playground can speak. */
const served = ["chat"];

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
    served: v.array(v.string()),
    version: v.string(),
  }),
  handle: async ({ currency, routerUrl, sessionsUrl }, { operator: { actor, role } }) => ({
    actor,
    role,
    currency,
    router_url: routerUrl,
    sessions_url: sessionsUrl,
    served,
    version,
  }),
});
