import type { UsagePosition } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore, usagePatienceMs } from "../../operations/context.ts";
import { defineChange } from "../../operations/operation.ts";
import { readPages } from "../../operations/read-pages.ts";
import { answerFrom } from "../../schemas/answer.ts";
import { members, text } from "../../schemas/values.ts";
import { findAccount, keysOf } from "./read-accounts.ts";

/** How many objects of each store were erased. Null: the host has not passed the store. */
type Erased = { readonly [Name in keyof typeof erasers]: number | null };

const count = v.nullable(v.number());

const erasedAnswer = answerFrom<Erased>()({
  keys: [count, ({ keys }) => keys],
  sessions: [count, ({ sessions }) => sessions],
  responses: [count, ({ responses }) => responses],
  content: [count, ({ content }) => content],
  requests: [count, ({ requests }) => requests],
  charges: [count, ({ charges }) => charges],
  payments: [count, ({ payments }) => payments],
});

const forgottenAnswer = answerFrom<Erased>()({
  erased: [erasedAnswer.schema, (erased) => erasedAnswer.show(erased)],
});

/** Erases what a customer wrote and was called. The ledger stays, and a call that was interrupted is finished by another one. */
export const forgetAccount = defineChange({
  name: "accounts.forget",
  method: "POST",
  path: "/accounts/:id/forget",
  role: "admin",
  summary:
    "Revokes the keys of an account, and erases its content, sessions, responses, end users, labels and payment methods; the ledger stays",
  body: members("a request to forget", { reason: text }),
  answer: forgottenAnswer.schema,
  action: "account.forget",
  async run(context, { id, body: { reason } }, audited) {
    await findAccount(context, id);
    const change = { subject: `account:${id}`, after: { reason } };
    return forgottenAnswer.show(await audited(change, () => eraseAll(context, id)));
  },
});

/** Keys end first, so that nothing is written any more by the time that the other stores are asked. */
async function eraseAll(context: OperationContext, account: string): Promise<Erased> {
  const keys = await erasers.keys(context, account);
  const sessions = await erasers.sessions(context, account);
  const responses = await erasers.responses(context, account);
  const content = await erasers.content(context, account);
  const requests = await erasers.requests(context, account);
  const charges = await erasers.charges(context, account);
  return { keys, sessions, responses, content, requests, charges, payments: await erasers.payments(context, account) };
}

/** What erases in each store. A further store with data of a customer has a line here, and one in the parts of an export. */
const erasers = {
  keys: eraseKeys,
  async sessions({ stores: { sessions }, ask }: OperationContext, account: string) {
    return sessions === undefined ? null : untilNone(() => ask(() => sessions.forget(account), usagePatienceMs));
  },
  async responses({ stores: { responses }, ask }: OperationContext, account: string) {
    return responses === undefined ? null : untilNone(() => ask(() => responses.forget(account), usagePatienceMs));
  },
  content: eraseContent,
  requests: eraseUsage,
  async charges({ stores: { accounts }, ask }: OperationContext, account: string) {
    return accounts === undefined ? null : untilNone(() => ask(() => accounts.forget(account), usagePatienceMs));
  },
  async payments({ stores: { payments }, ask }: OperationContext, account: string) {
    return payments === undefined ? null : untilNone(() => ask(() => payments.forget(account), usagePatienceMs));
  },
} as const;

/** Revokes the keys, and removes their names and tags. Returns how many it changed. */
async function eraseKeys(context: OperationContext, account: string): Promise<number | null> {
  const { stores, ask } = context;
  if (stores.keys === undefined) return null;
  const keys = requireStore(context, "keys");
  let changed = 0;
  for (const { id, name, tags, revokedAt } of await keysOf(context, account)) {
    const isNamed = name !== undefined || tags !== undefined;
    if (revokedAt === undefined) await ask(() => keys.revoke(id));
    if (isNamed) await ask(() => keys.update(id, { name: null, tags: null }));
    if (isNamed || revokedAt === undefined) changed += 1;
  }
  return changed;
}

/** A batch has the number of its changed rows as its one item. */
async function eraseUsage({ stores: { usage }, ask }: OperationContext, account: string): Promise<number | null> {
  if (usage === undefined) return null;
  const batches = readPages(async (after: UsagePosition | undefined) => {
    const query = { account, ...(after === undefined ? {} : { after }) };
    const { changed, next } = await ask(() => usage.forget(query), usagePatienceMs);
    return { items: [changed], next };
  });
  let total = 0;
  for await (const [changed = 0] of batches) total += changed;
  return total;
}

const contentPage = 100;

async function eraseContent({ stores: { content }, ask }: OperationContext, account: string): Promise<number | null> {
  if (content === undefined) return null;
  const pages = readPages(async (after: string | undefined) => {
    const query = { account, limit: contentPage, ...(after === undefined ? {} : { after }) };
    const { records, next } = await ask(() => content.list(query), usagePatienceMs);
    return { items: records, next };
  });
  let removed = 0;
  for await (const records of pages)
    if (records.length > 0) removed += await ask(() => content.remove(records), usagePatienceMs);
  return removed;
}

/** Calls a method that erases a part until it erases nothing, and returns how much it erased. */
async function untilNone(erase: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const erased = await erase();
    if (erased === 0) return total;
    total += erased;
  }
}
