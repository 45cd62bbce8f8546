import type { ModelState } from "@tollgate/core";
import { answerFrom, defineOperation, orNull, planAnswer, servedBy } from "@tollgate/management/internal";
import * as v from "valibot";
import { rights } from "../customer.ts";
import type { PortalContext } from "../portal-options.ts";

const modelAnswer = answerFrom<ModelState>()({
  id: [v.string(), ({ id }) => id],
  kind: [v.picklist(["chat", "embedding"]), ({ entry }) => (entry["kind"] === "embedding" ? "embedding" : "chat")],
});

const planOf = ({ gateway, settings }: PortalContext) =>
  gateway.inspect().plans.find(({ id }) => id === settings.keys?.plan);

/** The models that keys of the plan may use. */
function modelsOf(context: PortalContext): readonly ModelState[] {
  const allowed = planOf(context)?.models;
  return context.gateway.inspect().models.filter(({ id }) => allowed?.includes(id) ?? true);
}

const meAnswer = answerFrom<PortalContext>()({
  account: [v.string(), ({ customer }) => customer.account],
  user: [v.string(), ({ customer }) => customer.user],
  may: [v.array(v.picklist(rights)), ({ customer }) => [...customer.may]],
  currency: [v.nullable(v.string()), ({ settings }) => settings.currency],
  router_url: [v.nullable(v.string()), ({ settings }) => settings.routerUrl],
  payments_url: [v.nullable(v.string()), ({ settings }) => settings.paymentsUrl],
  sign_out_url: [v.nullable(v.string()), ({ settings }) => settings.signOutUrl],
  /** False: the portal has no settings of notices. */
  notices: [v.boolean(), ({ settings }) => settings.notices !== null],
  /** The APIs that the router serves. */
  served: [v.array(v.string()), ({ gateway }) => servedBy(gateway)],
  /** The plan of the keys that customers create. Null: they create none. */
  plan: [v.nullable(planAnswer.schema), (context) => orNull(planOf(context), planAnswer.show)],
  most_keys: [v.number(), ({ settings }) => settings.keys?.most ?? 0],
  models: [v.array(modelAnswer.schema), (context) => modelsOf(context).map(modelAnswer.show)],
});

/** GET /me: who asks, and what the page needs to know of the host. */
export const showMe = defineOperation({
  name: "me",
  method: "GET",
  path: "/me",
  role: "viewer",
  summary: "Who makes the request, and what the host has configured",
  answer: meAnswer.schema,
  run: async (context: PortalContext) => meAnswer.show(context),
});

/** GET /texts: the texts of the host that replace those of the page. */
export const showTexts = defineOperation({
  name: "texts",
  method: "GET",
  path: "/texts",
  role: "viewer",
  summary: "The texts that replace the English ones of the page",
  answer: v.record(v.string(), v.record(v.string(), v.string())),
  run: async ({ settings }: PortalContext) => Object.fromEntries(Object.entries(settings.texts)),
});
