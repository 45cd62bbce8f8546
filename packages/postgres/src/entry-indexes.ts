import type { Tables } from "./schema.ts";

/** The entries of an account by time, and the few that are no charges. */
export function entryIndexes({ entry }: Tables): readonly string[] {
  return [
    `CREATE INDEX entry_time ON ${entry} (account_id, at)`,
    `CREATE INDEX entry_other ON ${entry} (account_id, sequence) WHERE kind <> 'charge'`,
  ];
}
