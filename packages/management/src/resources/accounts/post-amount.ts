import { GatewayError } from "@tollgate/core";
import type { ClientRequest } from "@tollgate/core/internal";
import type { CheckedPosting } from "@tollgate/core/store";
import * as v from "valibot";
import { isNewAccount } from "../../administration/accounts.ts";
import { postAmount } from "../../administration/change-accounts.ts";
import { administratorOf } from "../../administrator.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { positiveAmount, text } from "../../schemas/values.ts";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";
import { balanceAnswer, shownBalance } from "./shown-account.ts";

/** POST /accounts/{id}/credits: adds to a balance. */
export const creditAccount = definePosting("credit");

/** POST /accounts/{id}/debits: takes from a balance, which may become negative. */
export const debitAccount = definePosting("debit");

function definePosting(kind: "credit" | "debit") {
  return defineRoute({
    name: `accounts.${kind}`,
    method: "POST",
    path: `/accounts/:id/${kind}s`,
    role: "admin",
    summary: `Posts a ${kind}, once for each Idempotency-Key`,
    idempotent: true,
    query: noQuery,
    body: members(`a ${kind}`, { amount: positiveAmount, reason: text }),
    answer: v.strictObject({
      outcome: v.picklist(["posted", "repeated"]),
      balance: balanceAnswer,
      /** True: the account had no entry and no key before. */
      new_account: v.boolean(),
    }),
    async handle(services, { context, operator, id: account, body: { amount, reason } }) {
      const balances = requireStore(services, "balances");
      const posting: CheckedPosting = { id: postingId(context.request), account, amount, reason };
      const isNew = await isUnknown(services, account);
      const result = await postAmount(administratorOf(services, operator), balances, kind, posting);
      if (result.outcome === "conflict") throw otherPosting();
      return {
        outcome: result.outcome,
        balance: shownBalance(result.balance),
        new_account: isNew && result.outcome === "posted",
      };
    },
  });
}

/** Without a store of accounts, nothing is known of them. */
async function isUnknown(services: StoreCalls, account: string): Promise<boolean> {
  const { accounts, keys } = services.stores;
  return (
    accounts !== undefined && isNewAccount({ ask: (call) => askStore(services, call) }, { accounts, keys }, account)
  );
}

/** The id of a posting is the key of the client, so that it is the same in the ledger and in repeated requests. */
function postingId(request: ClientRequest): string {
  const key = request.header("idempotency-key");
  if (key === undefined) return crypto.randomUUID();
  if (/^[\x21-\x7e]{1,128}$/.test(key)) return key;
  throw new GatewayError(
    "invalid_request",
    "`Idempotency-Key` must have 1 to 128 visible ASCII characters, such as a UUID.",
    { param: "idempotency-key" },
  );
}

const otherPosting = (): GatewayError =>
  new GatewayError(
    "conflict",
    "This Idempotency-Key was used for another posting. Nothing was posted. Send a new key, or the same content.",
    { param: "idempotency-key" },
  );
