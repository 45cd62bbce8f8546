import { formatAmount, GatewayError } from "@tollgate/core";
import { type Awaitable, oneOf } from "@tollgate/core/internal";
import {
  type Balance,
  type BalanceStore,
  type Credit,
  checkedCredit,
  moneyKinds,
  type PostingResult,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { type Audited, defineChange } from "../../operations/operation.ts";
import { answerFrom } from "../../schemas/answer.ts";
import { amountText } from "../../schemas/answers.ts";
import { members, positiveAmount, text, time } from "../../schemas/values.ts";
import { balanceAnswer } from "./balance-answers.ts";
import { isNewAccount } from "./read-accounts.ts";

interface Posted {
  readonly outcome: "posted" | "repeated";
  readonly amount: bigint;
  readonly balance: Balance;
  /** True: the account had no entry and no key before. */
  readonly isNew: boolean;
}

const postedAnswer = answerFrom<Posted>()({
  outcome: [v.picklist(["posted", "repeated"]), ({ outcome }) => outcome],
  /** What was posted: less than was asked for when a debit of paid money exceeds what is left of it. */
  amount: [amountText, ({ amount }) => formatAmount(amount)],
  balance: [balanceAnswer.schema, ({ balance }) => balanceAnswer.show(balance)],
  new_account: [v.boolean(), ({ isNew, outcome }) => isNew && outcome === "posted"],
});

const content = { amount: positiveAmount, reason: text };

/** Adds to a balance. */
export const creditAccount = defineChange({
  name: "accounts.credit",
  method: "POST",
  path: "/accounts/:id/credits",
  role: "admin",
  summary: "Posts a credit, once for each Idempotency-Key",
  idempotent: true,
  body: members("a credit", {
    ...content,
    kind: v.exactOptional(oneOf(...moneyKinds)),
    expires_at: v.exactOptional(time),
  }),
  answer: postedAnswer.schema,
  action: "account.credit",
  run(context, { id: account, body, idempotencyKey }, audited) {
    const { expires_at: expiresAt, ...others } = body;
    const reference = idempotencyKey ?? crypto.randomUUID();
    const credit = { id: reference, account, ...others, ...(expiresAt === undefined ? {} : { expiresAt }) };
    requireLotId(credit);
    const after = { ...others, ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }) };
    return post(context, audited, { action: "account.credit", account, reference, after }, (balances) =>
      balances.credit(credit),
    );
  },
});

/** Takes from a balance, which may become negative. */
export const debitAccount = defineChange({
  name: "accounts.debit",
  method: "POST",
  path: "/accounts/:id/debits",
  role: "admin",
  summary: "Posts a debit, once for each Idempotency-Key; of paid money alone, at most what is left of it",
  idempotent: true,
  body: members("a debit", { ...content, from: v.exactOptional(oneOf("paid")) }),
  answer: postedAnswer.schema,
  action: "account.debit",
  run(context, { id: account, body, idempotencyKey }, audited) {
    const reference = idempotencyKey ?? crypto.randomUUID();
    return post(context, audited, { action: "account.debit", account, reference, after: body }, (balances) =>
      balances.debit({ id: reference, account, ...body }),
    );
  },
});

/** Throws 400 for an id that a credit of money which is granted or expires may not have. */
function requireLotId(credit: Credit): void {
  try {
    checkedCredit(credit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError("invalid_request", error.message, { param: "idempotency-key" });
  }
}

interface PostedChange {
  readonly action: "account.credit" | "account.debit";
  readonly account: string;
  /** The id of the posting is its idempotency key, so that it is the same in the ledger and in repeated calls. */
  readonly reference: string;
  readonly after: { readonly amount: bigint; readonly reason: string };
}

async function post(
  context: OperationContext,
  audited: Audited,
  { action, account, reference, after }: PostedChange,
  make: (balances: BalanceStore) => Awaitable<PostingResult>,
) {
  const balances = requireStore(context, "balances");
  const isNew = await isNewAccount(context, account);
  const subject = `account:${account}`;
  const posted = await audited(
    { subject, after: { ...after, amount: formatAmount(after.amount), reference } },
    () => context.ask(() => make(balances)),
    ({ outcome }) =>
      outcome === "posted" ? undefined : { action: `${action}.${outcome}`, subject, after: { reference } },
  );
  if (posted.outcome === "conflict") throw otherPosting();
  return postedAnswer.show({ ...posted, isNew });
}

const otherPosting = (): GatewayError =>
  new GatewayError(
    "conflict",
    "This Idempotency-Key was used for another posting. Nothing was posted. Send a new key, or the same content.",
    { param: "idempotency-key" },
  );
