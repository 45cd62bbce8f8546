import type { StoredRow } from "@tollgate/core/internal";
import type { Column } from "./column.ts";
import type { TopUp } from "./top-up.ts";

/** The columns of an automatic top-up in a SQL store. */
export const topUpColumns: readonly Column<TopUp>[] = [
  { name: "id", kind: "text", of: ({ id }) => id },
  { name: "account", kind: "text", of: ({ account }) => account },
  { name: "product", kind: "text", of: ({ product }) => product },
  { name: "below", kind: "integer", of: ({ below }) => below },
  { name: "max_per_day", kind: "integer", of: ({ maxPerDay }) => BigInt(maxPerDay) },
  { name: "customer", kind: "text", of: ({ method }) => method.customer },
  { name: "method", kind: "text", of: ({ method }) => method.method },
  { name: "stopped_at", kind: "time", of: ({ stopped }) => stopped?.at },
  { name: "stopped_reason", kind: "text", of: ({ stopped }) => stopped?.reason },
];

/** Reads the {@link topUpColumns} of a row. */
export function readTopUp(row: StoredRow): TopUp {
  const at = row.optionalTime("stopped_at");
  return {
    id: row.text("id"),
    account: row.text("account"),
    product: row.text("product"),
    below: row.integer("below"),
    maxPerDay: Number(row.integer("max_per_day")),
    method: { customer: row.text("customer"), method: row.text("method") },
    ...(at === undefined ? {} : { stopped: { at, reason: row.text("stopped_reason") } }),
  };
}
