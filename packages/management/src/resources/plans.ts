import type { Plan } from "@tollgate/core";
import { dialects, features } from "@tollgate/core/store";
import * as v from "valibot";
import type { ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { limitsAnswer, shownLimits, shownSpend, spendAnswer } from "../schemas/limits.ts";
import { readPlanSpend } from "./accounts/read-accounts.ts";

/** GET /plans: what the host has configured. */
export const listPlans = defineOperation({
  name: "plans",
  method: "GET",
  path: "/plans",
  role: "viewer",
  summary: "The plans with their models, features, dialects and limits",
  answer: v.strictObject({
    data: v.array(
      v.strictObject({
        id: v.string(),
        billing: v.picklist(["prepaid", "none"]),
        models: v.nullable(v.array(v.string())),
        features: v.nullable(v.array(v.picklist(features))),
        dialects: v.nullable(v.array(v.picklist(dialects))),
        limits: v.nullable(limitsAnswer),
        spend: v.nullable(spendAnswer),
      }),
    ),
    next: v.null(),
  }),
  run: async ({ gateway }: ManagementServices) => ({ data: gateway.inspect().plans.map(shownPlan), next: null }),
});

const shownPlan = ({ id, billing, models, limits, spend, ...plan }: Plan) => ({
  id,
  billing,
  models: models === undefined ? null : [...models],
  features: plan.features === undefined ? null : [...plan.features],
  dialects: plan.dialects === undefined ? null : [...plan.dialects],
  limits: limits === undefined ? null : shownLimits(limits),
  spend: spend === undefined ? null : shownSpend(readPlanSpend(spend)),
});
