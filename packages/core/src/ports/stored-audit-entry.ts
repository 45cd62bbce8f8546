import { parseExactJson } from "../wire/exact-json.ts";
import type { AuditEntry } from "./audit-log.ts";

/** An entry as a store keeps it: the states before and after as JSON that `writeExactJson` wrote, or undefined. */
export interface StoredAuditEntry extends Omit<AuditEntry, "before" | "after"> {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reads a stored entry. An undefined state becomes an absent member. Throws a SyntaxError if a state is not JSON. */
export const readAuditEntry = ({ before, after, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  ...(before === undefined ? {} : { before: parseExactJson(before) }),
  ...(after === undefined ? {} : { after: parseExactJson(after) }),
});
