import { GatewayError } from "@tollgate/core";
import type { Account, SpendLimit } from "@tollgate/core/store";
import type { Operator } from "../../authorization/authorize.ts";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { auditedAs, defineChange, defineOperation } from "../../operations/operation.ts";
import { spend, spendAnswer } from "../../schemas/limits.ts";
import { members, text } from "../../schemas/values.ts";
import { acceptanceAnswer } from "../terms.ts";
import { accountAnswer, findAccount, shownAccount } from "./read-accounts.ts";

const limitActions = { set: "account.spend_limit.set", remove: "account.spend_limit.remove" } as const;

/** Sets the spend limit of an account. */
export const limitSpend = defineOperation({
  name: "accounts.spend_limit.set",
  method: "PUT",
  path: "/accounts/:id/spend-limit",
  role: "admin",
  summary: "Sets the spend limit of an account",
  body: spend,
  answer: accountAnswer.schema,
  action: limitActions.set,
  run: (context, { operator, id, body }) => changeAccount(context, operator, id, body),
});

/** Removes the spend limit of an account: the default of the plan applies again. */
export const unlimitSpend = defineOperation({
  name: "accounts.spend_limit.remove",
  method: "DELETE",
  path: "/accounts/:id/spend-limit",
  role: "admin",
  summary: "Removes the spend limit of an account, so that the default of its plan applies",
  answer: accountAnswer.schema,
  action: limitActions.remove,
  run: (context, { operator, id }) => changeAccount(context, operator, id, undefined),
});

async function changeAccount(context: OperationContext, operator: Operator, id: string, limit: SpendLimit | undefined) {
  const { account } = await findAccount(context, id);
  await changeLimit(context, operator, account, limit);
  const { spendLimit: _, ...unlimited } = account;
  return shownAccount(context, limit === undefined ? unlimited : { ...unlimited, spendLimit: limit });
}

/** Sets the spend limit of an account, which may be new, or removes it. */
export function changeLimit(
  context: OperationContext,
  operator: Operator,
  { id, spendLimit }: Pick<Account, "id" | "spendLimit">,
  limit: SpendLimit | undefined,
): Promise<void> {
  const accounts = requireStore(context, "accounts");
  const change = {
    subject: `account:${id}`,
    ...(spendLimit === undefined ? {} : { before: spendAnswer.show(spendLimit) }),
    ...(limit === undefined ? {} : { after: spendAnswer.show(limit) }),
  };
  const audited = auditedAs(context, operator, limit === undefined ? limitActions.remove : limitActions.set);
  return audited(change, () => context.ask(() => accounts.limitSpend(id, limit)));
}

/** Records that an account accepted a version of the terms. */
export const acceptTerms = defineChange({
  name: "accounts.terms.accept",
  method: "POST",
  path: "/accounts/:id/terms",
  role: "operator",
  summary: "Records that an account accepted a version of the terms",
  body: members("an acceptance", { version_id: text }),
  answer: acceptanceAnswer.schema,
  action: "terms.accept",
  async run(context, { id, body: { version_id } }, audited) {
    const versions = context.gateway?.inspect().terms.versions;
    if (versions?.every((version) => version.id !== version_id)) {
      const message = "`version_id` is not a version of the terms. Use an id of GET /terms.";
      throw new GatewayError("invalid_request", message, { param: "version_id" });
    }
    const change = { subject: `account:${id}`, after: { version_id } };
    return acceptanceAnswer.show(await audited(change, () => context.acceptTerms(id, version_id)));
  },
});
