import type { SpendLimit } from "@tollgate/core/store";
import { limitSpend as changeLimit } from "../../administration/change-accounts.ts";
import { administratorOf } from "../../administrator.ts";
import type { Operator } from "../../authorization/authorize.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { spend } from "../../schemas/limits.ts";
import type { ManagementServices } from "../../services.ts";
import { requireStore } from "../../stores.ts";
import { findAccount } from "./find-account.ts";
import { accountAnswer, shownAccounts } from "./shown-account.ts";

/** PUT /accounts/{id}/spend-limit: sets the limit of an account. */
export const limitSpend = defineRoute({
  name: "accounts.spend_limit.set",
  method: "PUT",
  path: "/accounts/:id/spend-limit",
  role: "admin",
  summary: "Sets the spend limit of an account",
  query: noQuery,
  body: spend,
  answer: accountAnswer,
  handle: (services, { operator, id, body }) => setLimit(services, operator, id, body),
});

/** DELETE /accounts/{id}/spend-limit: the default of the plan applies again. */
export const unlimitSpend = defineRoute({
  name: "accounts.spend_limit.remove",
  method: "DELETE",
  path: "/accounts/:id/spend-limit",
  role: "admin",
  summary: "Removes the spend limit of an account, so that the default of its plan applies",
  query: noQuery,
  body: noBody,
  answer: accountAnswer,
  handle: (services, { operator, id }) => setLimit(services, operator, id, undefined),
});

async function setLimit(services: ManagementServices, operator: Operator, id: string, limit: SpendLimit | undefined) {
  const accounts = requireStore(services, "accounts");
  const { account } = await findAccount(services, id);
  await changeLimit(administratorOf(services, operator), accounts, account, limit);
  const { spendLimit: _, ...unlimited } = account;
  const changed = limit === undefined ? unlimited : { ...unlimited, spendLimit: limit };
  const [shown] = await shownAccounts(services, [changed]);
  if (shown === undefined) throw new Error("The account is missing in the list of one account.");
  return shown;
}
