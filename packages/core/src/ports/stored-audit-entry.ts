import { parseLosslessJson } from "../wire/lossless-json.ts";
import type { AuditEntry } from "./audit-log.ts";

/** An entry as a store keeps it: the states before and after as JSON that `writeLosslessJson` wrote, or undefined. */
export interface StoredAuditEntry extends Omit<AuditEntry, "before" | "after"> {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reads a stored entry. An undefined state becomes an absent member. Throws a SyntaxError if a state is not JSON. */
export const readAuditEntry = ({ before, after, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  ...(before === undefined ? {} : { before: parseLosslessJson(before) }),
  ...(after === undefined ? {} : { after: parseLosslessJson(after) }),
});
