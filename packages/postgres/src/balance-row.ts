import type { Balance } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/**
 * Reads the balance from the columns `posted` and `held`. Returns undefined when they are null, which means that the
 * account does not exist.
 */
export function toBalance(row: Row): Balance | undefined {
  if (row.optionalText("posted") === undefined) return undefined;
  const [posted, held] = [row.integer("posted"), row.integer("held")];
  return { posted, held, available: posted - held };
}
