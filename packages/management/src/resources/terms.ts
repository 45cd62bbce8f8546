import * as v from "valibot";
import { type ManagementServices, requireStore } from "../operations/context.ts";
import { defineList, pairPosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { shownTime, timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

/** GET /terms: the versions that the host has configured. */
export const listTerms = defineOperation({
  name: "terms",
  method: "GET",
  path: "/terms",
  role: "viewer",
  summary: "The versions of the terms, and the one in force",
  answer: v.strictObject({
    in_force: v.nullable(v.string()),
    data: v.array(
      v.strictObject({
        id: v.string(),
        version: v.string(),
        enforcement_at: v.nullable(timeText),
        accept_url: v.string(),
      }),
    ),
    next: v.null(),
  }),
  async run({ gateway }: ManagementServices) {
    const { inForce, versions } = gateway.inspect().terms;
    const data = versions.map(({ id, version, enforcementAt, acceptUrl }) => ({
      id,
      version,
      enforcement_at: shownTime(enforcementAt),
      accept_url: acceptUrl,
    }));
    return { in_force: inForce ?? null, data, next: null };
  },
});

/** GET /terms/acceptances: who has accepted what. */
export const listAcceptances = defineList({
  name: "terms.acceptances",
  path: "/terms/acceptances",
  role: "viewer",
  summary: "Which account accepted which version, by account",
  query: { account: v.exactOptional(text), version_id: v.exactOptional(text) },
  item: v.strictObject({ account: v.string(), version_id: v.string(), accepted_at: timeText }),
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
    const data = acceptances.map(({ account, versionId, acceptedAt }) => ({
      account,
      version_id: versionId,
      accepted_at: acceptedAt.toISOString(),
    }));
    return { data, next: next && [next.account, next.versionId] };
  },
});
