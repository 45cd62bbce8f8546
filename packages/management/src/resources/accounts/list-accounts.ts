import * as v from "valibot";
import { listAccounts as listPage } from "../../administration/accounts.ts";
import { defineList } from "../../lists/list-route.ts";
import { textPosition } from "../../lists/positions.ts";
import { text } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { accountAnswer, shownAccounts } from "./shown-account.ts";

/** GET /accounts: the accounts with their balances, by id. Those of plans without billing have only keys. */
export const listAccounts = defineList({
  name: "accounts",
  path: "/accounts",
  role: "viewer",
  summary: "The accounts with their plans, balances and spend limits, by id",
  query: { prefix: v.exactOptional(text) },
  item: accountAnswer,
  position: textPosition,
  exported: true,
  async page(services, { query: { prefix }, limit, after }) {
    const accounts = requireStore(services, "accounts");
    const page = await listPage(
      { ask: (call) => askStore(services, call) },
      { accounts, keys: services.stores.keys },
      { limit, ...(after === undefined ? {} : { after }), ...(prefix === undefined ? {} : { prefix }) },
    );
    return { data: await shownAccounts(services, page.accounts), next: page.next };
  },
});
