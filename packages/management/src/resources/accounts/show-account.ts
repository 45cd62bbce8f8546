import * as v from "valibot";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { timeText } from "../../schemas/answers.ts";
import type { ManagementServices } from "../../services.ts";
import { askStore } from "../../stores.ts";
import { findAccount } from "./find-account.ts";
import { accountMembers, shownAccounts } from "./shown-account.ts";

/** GET /accounts/{id}: an account with its terms and the number of its keys. */
export const showAccount = defineRoute({
  name: "accounts.show",
  method: "GET",
  path: "/accounts/:id",
  role: "viewer",
  summary: "An account with its balance, spend limit, accepted terms and the number of its keys",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ...accountMembers,
    terms: v.array(v.strictObject({ version_id: v.string(), version: v.nullable(v.string()), accepted_at: timeText })),
    keys: v.number(),
  }),
  async handle(services, { id }) {
    const { account, keys } = await findAccount(services, id);
    const [[shown], terms] = await Promise.all([shownAccounts(services, [account]), acceptedTerms(services, id)]);
    if (shown === undefined) throw new Error("The account is missing in the list of one account.");
    return { ...shown, terms, keys };
  },
});

const maxVersions = 200;

async function acceptedTerms(services: ManagementServices, account: string) {
  const { terms } = services.stores;
  if (terms === undefined) return [];
  const { versions } = services.gateway.inspect().terms;
  const { acceptances } = await askStore(services, () => terms.listAcceptances({ account, limit: maxVersions }));
  return acceptances.map(({ versionId, acceptedAt }) => ({
    version_id: versionId,
    version: versions.find(({ id }) => id === versionId)?.version ?? null,
    accepted_at: acceptedAt.toISOString(),
  }));
}
