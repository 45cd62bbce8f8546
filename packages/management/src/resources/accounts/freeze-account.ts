import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineChange } from "../../operations/operation.ts";
import { members, text } from "../../schemas/values.ts";
import { accountAnswer, findAccount, shownAccount } from "./read-accounts.ts";

/** Freezes an account: it may be read and credited, and pays for nothing. Running calls end as usual. */
export const freezeAccount = defineFreezing(
  "freeze",
  "Freezes an account, so that it pays for nothing until it is thawed; running calls end as usual",
);

/** Thaws an account. One that is not frozen stays as it is. */
export const thawAccount = defineFreezing("thaw", "Thaws an account");

function defineFreezing<Kind extends "freeze" | "thaw">(kind: Kind, summary: string) {
  return defineChange({
    name: `accounts.${kind}`,
    method: "POST",
    path: `/accounts/:id/${kind}`,
    role: "operator",
    summary,
    body: members(`a ${kind}`, { reason: text }),
    answer: accountAnswer.schema,
    action: `account.${kind}`,
    async run(context, { id, body: { reason } }, audited) {
      const accounts = requireStore(context, "accounts");
      const change = { ...(await changeOf(context, id)), after: { reason } };
      await audited(change, () =>
        context.ask(() => (kind === "freeze" ? accounts.freeze(id, reason) : accounts.thaw(id))),
      );
      return showAgain(context, id);
    },
  });
}

/** Returns the subject of a change, and why the account was frozen before it. Throws 404 for an unknown id. */
async function changeOf(context: OperationContext, id: string) {
  const { frozen } = (await findAccount(context, id)).account;
  return { subject: `account:${id}`, ...(frozen === undefined ? {} : { before: { reason: frozen.reason } }) };
}

const showAgain = async (context: OperationContext, id: string) =>
  shownAccount(context, (await findAccount(context, id)).account);
