import type { Plan } from "@tollgate/core";
import { dialects, features } from "@tollgate/core/store";
import * as v from "valibot";
import type { ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom, copied, orNull } from "../schemas/answer.ts";
import { limitsAnswer, spendAnswer } from "../schemas/limits.ts";
import { readPlanSpend } from "./accounts/read-accounts.ts";

/** A plan in answers. */
export const planAnswer = answerFrom<Plan>()({
  id: [v.string(), ({ id }) => id],
  billing: [v.picklist(["prepaid", "none"]), ({ billing }) => billing],
  models: [v.nullable(v.array(v.string())), ({ models }) => orNull(models, copied)],
  features: [v.nullable(v.array(v.picklist(features))), ({ features: allowed }) => orNull(allowed, copied)],
  dialects: [v.nullable(v.array(v.picklist(dialects))), ({ dialects: allowed }) => orNull(allowed, copied)],
  limits: [v.nullable(limitsAnswer.schema), ({ limits }) => orNull(limits, limitsAnswer.show)],
  limits_per: [v.picklist(["key", "account"]), ({ limits }) => limits?.per ?? "key"],
  spend: [v.nullable(spendAnswer.schema), ({ spend }) => orNull(spend && readPlanSpend(spend), spendAnswer.show)],
});

/** GET /plans: what the host has configured. */
export const listPlans = defineOperation({
  name: "plans",
  method: "GET",
  path: "/plans",
  role: "viewer",
  summary: "The plans with their models, features, dialects and limits",
  answer: v.strictObject({ data: v.array(planAnswer.schema), next: v.null() }),
  run: async ({ gateway }: ManagementServices) => ({
    data: gateway.inspect().plans.map(planAnswer.show),
    next: null,
  }),
});
