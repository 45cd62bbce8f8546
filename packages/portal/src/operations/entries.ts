import { oneOf } from "@tollgate/core/internal";
import { entryKinds } from "@tollgate/core/store";
import { defineList, sequencePosition, time } from "@tollgate/management/internal";
import { listEntries } from "@tollgate/management/operations";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";
import { ownEntry } from "./own-answers.ts";

/** The ledger of the account, newest first. */
export const listOwnEntries = defineList({
  name: "entries",
  path: "/entries",
  role: "viewer",
  summary: "The ledger of the account with the receipt of each charge, newest first",
  query: { kind: v.exactOptional(oneOf(...entryKinds)), from: v.exactOptional(time), to: v.exactOptional(time) },
  item: ownEntry,
  position: sequencePosition,
  exported: true,
  async page(context: PortalContext, call) {
    const { data, next } = await listEntries.page(context, { ...call, id: context.customer.account });
    return { data: data.map((entry) => v.parse(ownEntry, entry)), next };
  },
});
