import type { Tables } from "./schema.ts";

/** The members of keys that came with spend limits. Tags are JSON as text, since jsonb rejects \u0000. */
export function keyMemberColumns({ apiKey }: Tables): readonly string[] {
  return [`ALTER TABLE ${apiKey} ADD COLUMN spend jsonb, ADD COLUMN tags text, ADD COLUMN log_content boolean`];
}
