import type { Operator } from "../../authorization/authorize.ts";
import type { OperationContext } from "../../operations/context.ts";
import { defineExport, type Lines } from "../../operations/exports.ts";
import { pagesOf } from "../../operations/lists.ts";
import { auditedAs } from "../../operations/operation.ts";
import { listAudit } from "../audit.ts";
import { listKeys } from "../keys/read-keys.ts";
import { listEntries } from "../ledger.ts";
import { listRequests } from "../requests.ts";
import { listAcceptances } from "../terms.ts";
import { paymentLines } from "./export-payments.ts";
import { contentLines, responseLines, sessionLines } from "./export-stored.ts";
import { findAccount, keysOf, showAccount } from "./read-accounts.ts";

/** All that is kept of an account, one JSON object a line, each with its `type`. */
export const exportAccount = defineExport({
  name: "accounts.export",
  path: "/accounts/:id/export",
  role: "admin",
  summary: "All that is kept of an account, as JSON Lines, each with its `type`",
  action: "account.export",
  async *lines(context, { operator, id }) {
    await findAccount(context, id);
    const audited = auditedAs(context, operator, "account.export");
    await audited({ subject: `account:${id}` }, () => undefined);
    for (const part of parts) yield* part(context, operator, id);
    return undefined;
  },
});

/** Reads a part of what is kept of an account. A store that the host has not passed has no lines. */
type Part = (context: OperationContext, operator: Operator, account: string) => Lines;

const first = { id: "", query: {}, limit: 200, after: undefined };

/** The parts in their order. A further store with data of a customer has one here, and a line in what forgets an account. */
const parts: readonly Part[] = [
  async function* account(context, operator, id) {
    yield [{ type: "account", ...(await showAccount.run(context, { operator, id, query: {}, body: undefined })) }];
    return undefined;
  },
  async function* keys(context, operator, account) {
    if (context.stores.keys === undefined) return undefined;
    return yield* typed("key", pagesOf(listKeys, context, { ...first, operator, query: { account } }));
  },
  async function* acceptances(context, operator, account) {
    if (context.stores.terms === undefined) return undefined;
    return yield* typed("acceptance", pagesOf(listAcceptances, context, { ...first, operator, query: { account } }));
  },
  async function* entries(context, operator, id) {
    if (context.stores.balances === undefined) return undefined;
    return yield* typed("entry", pagesOf(listEntries, context, { ...first, operator, id }));
  },
  async function* requests(context, operator, account) {
    if (context.stores.usage === undefined) return undefined;
    return yield* typed("request", pagesOf(listRequests, context, { ...first, operator, query: { account } }));
  },
  (context, _, account) => contentLines(context, account),
  (context, _, account) => sessionLines(context, account),
  (context, _, account) => responseLines(context, account),
  (context, _, account) => paymentLines(context, account),
  async function* audit(context, operator, account) {
    if (context.stores.audit === undefined) return undefined;
    const subjects = [`account:${account}`, ...(await keysOf(context, account)).map(({ id }) => `key:${id}`)];
    for (const subject of subjects)
      yield* typed("change", pagesOf(listAudit, context, { ...first, operator, query: { subject } }));
    return undefined;
  },
];

/** Adds the type to the items of pages. */
async function* typed(type: string, pages: AsyncGenerator<readonly object[]>): Lines {
  for await (const items of pages) yield items.map((item) => ({ type, ...item }));
  return undefined;
}
