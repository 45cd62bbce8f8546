import { oneOf } from "@tollgate/core/internal";
import * as v from "valibot";
import { shownKey } from "../../administration/shown-key.ts";
import { defineList } from "../../lists/list-route.ts";
import { textPosition } from "../../lists/positions.ts";
import { text } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { keyAnswer } from "./key-answer.ts";

/** GET /keys: the keys of all accounts, oldest first. */
export const listKeys = defineList({
  name: "keys",
  path: "/keys",
  role: "viewer",
  summary: "The keys, oldest first",
  query: {
    account: v.exactOptional(text),
    state: v.exactOptional(oneOf("active", "expired", "revoked")),
    /** A part of the name, the id or the last four characters. */
    q: v.exactOptional(text),
  },
  item: keyAnswer,
  position: textPosition,
  exported: true,
  async page(services, { query: { account, state, q }, limit, after }) {
    const keys = requireStore(services, "keys");
    const query = {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(account === undefined ? {} : { account }),
      ...(state === undefined ? {} : { state }),
      ...(q === undefined ? {} : { search: q }),
    };
    const page = await askStore(services, () => keys.list(query));
    return { data: page.keys.map(shownKey), next: page.next };
  },
});
