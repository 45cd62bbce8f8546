import { formatAmount } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";
import type {
  Account,
  AccountAdmin,
  BalanceStore,
  CheckedPosting,
  PostingResult,
  SpendLimit,
  TermsAcceptance,
} from "@tollgate/core/store";
import { type Administrator, audited } from "./audited.ts";
import { shownSpend } from "./shown-limits.ts";

/** Posts a credit or debit, as an audited change. */
export function postAmount(
  admin: Administrator,
  balances: BalanceStore,
  kind: "credit" | "debit",
  posting: CheckedPosting,
): Promise<PostingResult> {
  const { id: reference, account, amount, reason } = posting;
  const subject = `account:${account}`;
  const after = { amount: formatAmount(amount), reason, reference };
  return audited(
    admin,
    { action: `account.${kind}`, subject, after },
    () => admin.ask(() => balances[kind](posting)),
    ({ outcome }) =>
      outcome === "posted" ? undefined : { action: `account.${kind}.${outcome}`, subject, after: { reference } },
  );
}

/** Sets the spend limit of an account, or removes it, as an audited change. */
export function limitSpend(
  admin: Administrator,
  accounts: AccountAdmin,
  { id, spendLimit }: Pick<Account, "id" | "spendLimit">,
  limit: SpendLimit | undefined,
): Promise<void> {
  const change = {
    action: limit === undefined ? "account.spend_limit.remove" : "account.spend_limit.set",
    subject: `account:${id}`,
    ...(spendLimit === undefined ? {} : { before: shownSpend(spendLimit) }),
    ...(limit === undefined ? {} : { after: shownSpend(limit) }),
  };
  return audited(admin, change, () => admin.ask(() => accounts.limitSpend(id, limit)));
}

/** Records that an account accepted a version of the terms, as an audited change. */
export function acceptTerms(
  admin: Administrator,
  account: string,
  versionId: string,
  accept: () => Awaitable<TermsAcceptance>,
): Promise<TermsAcceptance> {
  const change = { action: "terms.accept", subject: `account:${account}`, after: { version_id: versionId } };
  return audited(admin, change, accept);
}
