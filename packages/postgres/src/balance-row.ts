import type { Balance } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/** The balance in the columns `posted` and `held`; undefined where they are null, since there is no account. */
export function balanceIn(row: Row): Balance | undefined {
  if (row.optionalText("posted") === undefined) return undefined;
  const [posted, held] = [row.bigint("posted"), row.bigint("held")];
  return { posted, held, available: posted - held };
}
