import * as v from "valibot";
import type { OperationContext } from "../../operations/context.ts";
import { defineList } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { timeText } from "../../schemas/answers.ts";
import { textPosition } from "../../schemas/positions.ts";
import { text } from "../../schemas/values.ts";
import { findAccount, readAccounts } from "./find-accounts.ts";
import { accountAnswer, accountMembers, shownAccount, shownAccounts } from "./shown-account.ts";

/** The accounts with their balances, by id. Those of plans without billing have only keys. */
export const listAccounts = defineList({
  name: "accounts",
  path: "/accounts",
  role: "viewer",
  summary: "The accounts with their plans, balances and spend limits, by id",
  query: { prefix: v.exactOptional(text) },
  item: accountAnswer,
  position: textPosition,
  exported: true,
  async page(context, { query, limit, after }) {
    const page = await readAccounts(context, { ...query, limit, ...(after === undefined ? {} : { after }) });
    return { data: await shownAccounts(context, page.accounts), next: page.next };
  },
});

/** An account with its terms and the number of its keys. */
export const showAccount = defineOperation({
  name: "accounts.show",
  method: "GET",
  path: "/accounts/:id",
  role: "viewer",
  summary: "An account with its balance, spend limit, accepted terms and the number of its keys",
  answer: v.strictObject({
    ...accountMembers,
    terms: v.array(v.strictObject({ version_id: v.string(), version: v.nullable(v.string()), accepted_at: timeText })),
    keys: v.number(),
  }),
  async run(context, { id }) {
    const { account, keys } = await findAccount(context, id);
    const [shown, terms] = await Promise.all([shownAccount(context, account), acceptedTerms(context, id)]);
    return { ...shown, terms, keys };
  },
});

const maxVersions = 200;

async function acceptedTerms({ stores: { terms }, gateway, ask }: OperationContext, account: string) {
  if (terms === undefined) return [];
  const versions = gateway?.inspect().terms.versions ?? [];
  const { acceptances } = await ask(() => terms.listAcceptances({ account, limit: maxVersions }));
  return acceptances.map(({ versionId, acceptedAt }) => ({
    version_id: versionId,
    version: versions.find(({ id }) => id === versionId)?.version ?? null,
    accepted_at: acceptedAt.toISOString(),
  }));
}
