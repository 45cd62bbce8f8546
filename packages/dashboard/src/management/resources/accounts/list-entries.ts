import { defineList } from "../../lists/list-route.ts";
import { sequencePosition } from "../../lists/positions.ts";
import { noQuery } from "../../routes/read-query.ts";
import { askStore, requireStore } from "../../stores.ts";
import { entryAnswer, shownEntry } from "./shown-entry.ts";

/** GET /accounts/{id}/entries: the ledger of an account, oldest first. */
export const listEntries = defineList({
  name: "accounts.entries",
  path: "/accounts/:id/entries",
  role: "viewer",
  summary: "The ledger of an account with the receipt of each charge, oldest first",
  query: noQuery,
  item: entryAnswer,
  position: sequencePosition,
  exported: true,
  async page(services, { id: account, limit, after }) {
    const balances = requireStore(services, "balances");
    const query = { account, limit, ...(after === undefined ? {} : { after }) };
    const page = await askStore(services, () => balances.entries(query));
    return { data: page.entries.map(shownEntry), next: page.next?.toString() };
  },
});
