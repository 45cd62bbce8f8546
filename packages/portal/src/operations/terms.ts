import { GatewayError } from "@tollgate/core";
import {
  answerFrom,
  defineChange,
  defineOperation,
  members,
  shownTime,
  text,
  timeText,
} from "@tollgate/management/internal";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";

type Version = ReturnType<PortalContext["gateway"]["inspect"]>["terms"]["versions"][number];

interface OwnVersion extends Version {
  readonly inForce: boolean;
  readonly acceptedAt: Date | undefined;
}

const versionAnswer = answerFrom<OwnVersion>()({
  id: [v.string(), ({ id }) => id],
  version: [v.string(), ({ version }) => version],
  enforcement_at: [v.nullable(timeText), ({ enforcementAt }) => shownTime(enforcementAt)],
  accept_url: [v.string(), ({ acceptUrl }) => acceptUrl],
  in_force: [v.boolean(), ({ inForce }) => inForce],
  accepted_at: [v.nullable(timeText), ({ acceptedAt }) => shownTime(acceptedAt)],
});

/** The versions of the terms, and when the account accepted each. */
export const listOwnTerms = defineOperation({
  name: "terms",
  method: "GET",
  path: "/terms",
  role: "viewer",
  summary: "The versions of the terms, and when the account accepted each",
  answer: v.strictObject({ data: v.array(versionAnswer.schema), next: v.null() }),
  async run(context: PortalContext) {
    const { inForce, versions } = context.gateway.inspect().terms;
    const accepted = await acceptancesOf(context);
    const own = versions.map((each) => ({
      ...each,
      inForce: each.id === inForce,
      acceptedAt: accepted.find(({ versionId }) => versionId === each.id)?.acceptedAt,
    }));
    return { data: own.map(versionAnswer.show), next: null };
  },
});

const maxVersions = 200;

async function acceptancesOf({ stores: { terms }, customer: { account }, ask }: PortalContext) {
  if (terms === undefined) return [];
  return (await ask(() => terms.listAcceptances({ account, limit: maxVersions }))).acceptances;
}

const acceptanceAnswer = answerFrom<{ readonly versionId: string; readonly acceptedAt: Date }>()({
  version_id: [v.string(), ({ versionId }) => versionId],
  accepted_at: [timeText, ({ acceptedAt }) => acceptedAt.toISOString()],
});

/** Accepts a version of the terms for the account. */
export const acceptOwnTerms = defineChange({
  name: "terms.accept",
  method: "POST",
  path: "/terms",
  role: "viewer",
  summary: "Accepts a version of the terms for the account",
  body: members("an acceptance", { version_id: text }),
  answer: acceptanceAnswer.schema,
  action: "terms.accept",
  async run(context: PortalContext, { body: { version_id } }, audited) {
    const { account } = context.customer;
    if (!context.gateway.inspect().terms.versions.some(({ id }) => id === version_id)) {
      const message = "`version_id` is not a version of the terms. Use an id of GET /terms.";
      throw new GatewayError("invalid_request", message, { param: "version_id" });
    }
    const change = { subject: `account:${account}`, after: { version_id } };
    return acceptanceAnswer.show(await audited(change, () => context.acceptTerms(account, version_id)));
  },
});
