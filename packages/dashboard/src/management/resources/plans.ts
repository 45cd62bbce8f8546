import type { Plan } from "@tollgate/core";
import { features } from "@tollgate/core/store";
import * as v from "valibot";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { limitsAnswer, shownLimits, shownSpend, spendAnswer } from "../schemas/limits.ts";
import { readPlanSpend } from "./accounts/account-keys.ts";

/** GET /plans: what the host has configured. */
export const listPlans = defineRoute({
  name: "plans",
  method: "GET",
  path: "/plans",
  role: "viewer",
  summary: "The plans with their models, features and limits",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    data: v.array(
      v.strictObject({
        id: v.string(),
        billing: v.picklist(["prepaid", "none"]),
        models: v.nullable(v.array(v.string())),
        features: v.nullable(v.array(v.picklist(features))),
        limits: v.nullable(limitsAnswer),
        spend: v.nullable(spendAnswer),
      }),
    ),
    next: v.null(),
  }),
  handle: async ({ gateway }) => ({ data: gateway.inspect().plans.map(shownPlan), next: null }),
});

const shownPlan = ({ id, billing, models, features, limits, spend }: Plan) => ({
  id,
  billing,
  models: models === undefined ? null : [...models],
  features: features === undefined ? null : [...features],
  limits: limits === undefined ? null : shownLimits(limits),
  spend: spend === undefined ? null : shownSpend(readPlanSpend(spend)),
});
