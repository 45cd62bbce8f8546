import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { sequencePosition } from "../../lists/positions.ts";
import { time } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { entryAnswer, entryKind, shownEntry } from "./shown-entry.ts";

/** GET /accounts/{id}/entries: the ledger of an account, newest first. */
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
  async page(services, { id: account, query: filters, limit, after }) {
    const balances = requireStore(services, "balances");
    const query = { account, limit, newestFirst: true, ...filters, ...(after === undefined ? {} : { after }) };
    const page = await askStore(services, () => balances.entries(query));
    return { data: page.entries.map(shownEntry), next: page.next?.toString() };
  },
});
