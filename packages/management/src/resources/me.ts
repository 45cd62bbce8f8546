import { dialectEndpoints } from "@tollgate/core/internal";
import { dialects } from "@tollgate/core/store";
import * as v from "valibot";
import { type Operator, roles } from "../authorization/authorize.ts";
import type { ManagedGateway, ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom } from "../schemas/answer.ts";
import { version } from "../version.ts";

interface Asked {
  readonly operator: Operator;
  readonly services: ManagementServices;
}

const meAnswer = answerFrom<Asked>()({
  actor: [v.string(), ({ operator }) => operator.actor],
  role: [v.picklist(roles), ({ operator }) => operator.role],
  currency: [v.nullable(v.string()), ({ services }) => services.currency],
  router_url: [v.nullable(v.string()), ({ services }) => services.routerUrl],
  sessions_url: [v.nullable(v.string()), ({ services }) => services.sessionsUrl],
  sign_out_url: [v.nullable(v.string()), ({ services }) => services.signOutUrl],
  served: [v.array(v.string()), ({ services }) => servedBy(services.gateway)],
  version: [v.string(), () => version],
});

/** Returns the dialects whose endpoints the router has. */
export const servedBy = (gateway: ManagedGateway) =>
  dialects.filter((dialect) => typeof gateway.endpoint("POST", dialectEndpoints[dialect].path) === "string");

/** GET /me: who asks, and what the page needs to know of the host. */
export const showMe = defineOperation({
  name: "me",
  method: "GET",
  path: "/me",
  role: "viewer",
  summary: "Who makes the request, and what the host has configured",
  answer: meAnswer.schema,
  run: async (services: ManagementServices, { operator }) => meAnswer.show({ operator, services }),
});
