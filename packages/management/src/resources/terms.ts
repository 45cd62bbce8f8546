import * as v from "valibot";
import { defineList } from "../lists/list-route.ts";
import { pairPosition } from "../lists/positions.ts";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { shownTime, timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";
import { askStore, requireStore } from "../stores.ts";

/** GET /terms: the versions that the host has configured. */
export const listTerms = defineRoute({
  name: "terms",
  method: "GET",
  path: "/terms",
  role: "viewer",
  summary: "The versions of the terms, and the one in force",
  query: noQuery,
  body: noBody,
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
  async handle({ gateway }) {
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
  async page(services, { query: { account, version_id }, limit, after }) {
    const terms = requireStore(services, "terms");
    const query = {
      limit,
      ...(account === undefined ? {} : { account }),
      ...(version_id === undefined ? {} : { versionId: version_id }),
      ...(after === undefined ? {} : { after: { account: after[0], versionId: after[1] } }),
    };
    const { acceptances, next } = await askStore(services, () => terms.listAcceptances(query));
    const data = acceptances.map(({ account, versionId, acceptedAt }) => ({
      account,
      version_id: versionId,
      accepted_at: acceptedAt.toISOString(),
    }));
    return { data, next: next && [next.account, next.versionId] };
  },
});
