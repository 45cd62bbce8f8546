import type { EntryQuery } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineList } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { sequencePosition } from "../../schemas/positions.ts";
import { time } from "../../schemas/values.ts";
import { entryAnswer, entryKind, shownEntry } from "./shown-entry.ts";

/** The ledger of an account, newest first. */
export const listEntries = defineList({
  name: "accounts.entries",
  path: "/accounts/:id/entries",
  role: "viewer",
  summary: "The ledger of an account with the receipt of each charge, newest first",
  query: {
    kind: v.exactOptional(entryKind),
    from: v.exactOptional(time),
    to: v.exactOptional(time),
  },
  item: entryAnswer,
  position: sequencePosition,
  exported: true,
  async page(context, { id: account, query, limit, after }) {
    const page = { account, limit, newestFirst: true, ...query, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await readEntries(context, page);
    return { data: entries, next: next?.toString() };
  },
});

/** Reads a page of the ledger of an account, in either order. */
export async function readEntries(context: OperationContext, query: EntryQuery) {
  const balances = requireStore(context, "balances");
  const { entries, next } = await context.ask(() => balances.entries(query));
  return { entries: entries.map(shownEntry), ...(next === undefined ? {} : { next }) };
}

const verifyPatienceMs = 120_000;

/** Checks every entry, which may take a while. It changes nothing. */
export const verifyLedger = defineOperation({
  name: "ledger.verify",
  method: "POST",
  path: "/ledger/verify",
  role: "admin",
  summary: "Checks the whole ledger for inconsistencies",
  answer: v.strictObject({
    ok: v.boolean(),
    violations: v.array(v.strictObject({ account: v.string(), problem: v.string() })),
  }),
  async run(context) {
    const balances = requireStore(context, "balances");
    const violations = await context.ask(() => balances.verify(), verifyPatienceMs);
    return {
      ok: violations.length === 0,
      violations: violations.map(({ account, problem }) => ({ account, problem })),
    };
  },
});
