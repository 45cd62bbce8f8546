import type { TermsAcceptance } from "@tollgate/core/store";
import * as v from "valibot";
import { type ManagedGateway, type ManagementServices, requireStore } from "../operations/context.ts";
import { defineList, pairPosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom } from "../schemas/answer.ts";
import { shownTime, timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

type Terms = ReturnType<ManagedGateway["inspect"]>["terms"];

const versionAnswer = answerFrom<Terms["versions"][number]>()({
  id: [v.string(), ({ id }) => id],
  version: [v.string(), ({ version }) => version],
  enforcement_at: [v.nullable(timeText), ({ enforcementAt }) => shownTime(enforcementAt)],
  accept_url: [v.string(), ({ acceptUrl }) => acceptUrl],
});

const termsAnswer = answerFrom<Terms>()({
  in_force: [v.nullable(v.string()), ({ inForce }) => inForce ?? null],
  data: [v.array(versionAnswer.schema), ({ versions }) => versions.map(versionAnswer.show)],
  next: [v.null(), () => null],
});

/** That an account accepted a version of the terms, in answers. */
export const acceptanceAnswer = answerFrom<TermsAcceptance>()({
  account: [v.string(), ({ account }) => account],
  version_id: [v.string(), ({ versionId }) => versionId],
  accepted_at: [timeText, ({ acceptedAt }) => acceptedAt.toISOString()],
});

/** GET /terms: the versions that the host has configured. */
export const listTerms = defineOperation({
  name: "terms",
  method: "GET",
  path: "/terms",
  role: "viewer",
  summary: "The versions of the terms, and the one in force",
  answer: termsAnswer.schema,
  run: async ({ gateway }: ManagementServices) => termsAnswer.show(gateway.inspect().terms),
});

/** GET /terms/acceptances: who has accepted what. */
export const listAcceptances = defineList({
  name: "terms.acceptances",
  path: "/terms/acceptances",
  role: "viewer",
  summary: "Which account accepted which version, by account",
  query: { account: v.exactOptional(text), version_id: v.exactOptional(text) },
  item: acceptanceAnswer.schema,
  position: pairPosition,
  exported: false,
  async page(context, { query: { version_id, ...filters }, limit, after }) {
    const terms = requireStore(context, "terms");
    const query = {
      ...filters,
      limit,
      ...(version_id === undefined ? {} : { versionId: version_id }),
      ...(after === undefined ? {} : { after: { account: after[0], versionId: after[1] } }),
    };
    const { acceptances, next } = await context.ask(() => terms.listAcceptances(query));
    return { data: acceptances.map(acceptanceAnswer.show), next: next && [next.account, next.versionId] };
  },
});
