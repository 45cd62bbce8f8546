import { GatewayError } from "@tollgate/core";
import * as v from "valibot";
import { acceptTerms as recordAcceptance } from "../../administration/change-accounts.ts";
import { administratorOf } from "../../administrator.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { timeText } from "../../schemas/answers.ts";
import { members } from "../../schemas/members.ts";
import { text } from "../../schemas/values.ts";

/** POST /accounts/{id}/terms: records that an account accepted a version. */
export const acceptTerms = defineRoute({
  name: "accounts.terms.accept",
  method: "POST",
  path: "/accounts/:id/terms",
  role: "operator",
  summary: "Records that an account accepted a version of the terms",
  query: noQuery,
  body: members("an acceptance", { version_id: text }),
  answer: v.strictObject({ account: v.string(), version_id: v.string(), accepted_at: timeText }),
  async handle(services, { operator, id, body: { version_id } }) {
    const { gateway } = services;
    const { versions } = gateway.inspect().terms;
    if (!versions.some((version) => version.id === version_id)) {
      throw new GatewayError(
        "invalid_request",
        "`version_id` is not a version of the terms. Use an id of GET /terms.",
        {
          param: "version_id",
        },
      );
    }
    const admin = administratorOf(services, operator);
    const { acceptedAt } = await recordAcceptance(admin, id, version_id, () => gateway.terms.accept(id, version_id));
    return { account: id, version_id, accepted_at: acceptedAt.toISOString() };
  },
});
