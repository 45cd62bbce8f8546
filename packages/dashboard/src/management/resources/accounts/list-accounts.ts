import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { textPosition } from "../../lists/positions.ts";
import { text } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { accountAnswer, shownAccounts } from "./shown-account.ts";

/** GET /accounts: the accounts with their balances, by id. `spend` is null where only the default of a plan applies. */
export const listAccounts = defineList({
  name: "accounts",
  path: "/accounts",
  role: "viewer",
  summary: "The accounts with their balances and their own spend limits, by id",
  query: { prefix: v.exactOptional(text) },
  item: accountAnswer,
  position: textPosition,
  exported: true,
  async page(services, { query: { prefix }, limit, after }) {
    const accounts = requireStore(services, "accounts");
    const query = {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(prefix === undefined ? {} : { prefix }),
    };
    const page = await askStore(services, () => accounts.listAccounts(query));
    return {
      data: await shownAccounts(
        services,
        page.accounts.map((account) => ({ account })),
      ),
      next: page.next,
    };
  },
});
