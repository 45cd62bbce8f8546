import { formatAmount, GatewayError } from "@tollgate/core";
import type { Account, SpendLimit } from "@tollgate/core/store";
import * as v from "valibot";
import type { Operator } from "../../authorization/authorize.ts";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { auditedAs, defineChange, defineOperation } from "../../operations/operation.ts";
import { timeText } from "../../schemas/answers.ts";
import { shownSpend, spend } from "../../schemas/limits.ts";
import { members, positiveAmount, text } from "../../schemas/values.ts";
import {
  accountAnswer,
  balanceAnswer,
  findAccount,
  isNewAccount,
  shownAccount,
  shownBalance,
} from "./read-accounts.ts";

/** Adds to a balance. */
export const creditAccount = definePosting("credit");

/** Takes from a balance, which may become negative. */
export const debitAccount = definePosting("debit");

/** The id of a posting is its idempotency key, so that it is the same in the ledger and in repeated calls. */
function definePosting(kind: "credit" | "debit") {
  return defineChange({
    name: `accounts.${kind}`,
    method: "POST",
    path: `/accounts/:id/${kind}s`,
    role: "admin",
    summary: `Posts a ${kind}, once for each Idempotency-Key`,
    idempotent: true,
    body: members(`a ${kind}`, { amount: positiveAmount, reason: text }),
    answer: v.strictObject({
      outcome: v.picklist(["posted", "repeated"]),
      balance: balanceAnswer,
      /** True: the account had no entry and no key before. */
      new_account: v.boolean(),
    }),
    action: `account.${kind}`,
    async run(context, { id: account, body: { amount, reason }, idempotencyKey }, audited) {
      const balances = requireStore(context, "balances");
      const reference = idempotencyKey ?? crypto.randomUUID();
      const isNew = await isNewAccount(context, account);
      const subject = `account:${account}`;
      const posted = await audited(
        { subject, after: { amount: formatAmount(amount), reason, reference } },
        () => context.ask(() => balances[kind]({ id: reference, account, amount, reason })),
        ({ outcome }) =>
          outcome === "posted" ? undefined : { action: `account.${kind}.${outcome}`, subject, after: { reference } },
      );
      if (posted.outcome === "conflict") throw otherPosting();
      const { outcome, balance } = posted;
      return { outcome, balance: shownBalance(balance), new_account: isNew && outcome === "posted" };
    },
  });
}

const otherPosting = (): GatewayError =>
  new GatewayError(
    "conflict",
    "This Idempotency-Key was used for another posting. Nothing was posted. Send a new key, or the same content.",
    { param: "idempotency-key" },
  );

const limitActions = { set: "account.spend_limit.set", remove: "account.spend_limit.remove" } as const;

/** Sets the spend limit of an account. */
export const limitSpend = defineOperation({
  name: "accounts.spend_limit.set",
  method: "PUT",
  path: "/accounts/:id/spend-limit",
  role: "admin",
  summary: "Sets the spend limit of an account",
  body: spend,
  answer: accountAnswer,
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
  answer: accountAnswer,
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
    ...(spendLimit === undefined ? {} : { before: shownSpend(spendLimit) }),
    ...(limit === undefined ? {} : { after: shownSpend(limit) }),
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
  answer: v.strictObject({ account: v.string(), version_id: v.string(), accepted_at: timeText }),
  action: "terms.accept",
  async run(context, { id, body: { version_id } }, audited) {
    const versions = context.gateway?.inspect().terms.versions;
    if (versions?.every((version) => version.id !== version_id)) {
      const message = "`version_id` is not a version of the terms. Use an id of GET /terms.";
      throw new GatewayError("invalid_request", message, { param: "version_id" });
    }
    const change = { subject: `account:${id}`, after: { version_id } };
    const { acceptedAt } = await audited(change, () => context.acceptTerms(id, version_id));
    return { account: id, version_id, accepted_at: acceptedAt.toISOString() };
  },
});
