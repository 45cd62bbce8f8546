import type { Tables } from "../schema.ts";
import { now } from "./sessions.ts";
import { millisecondsOf } from "./times.ts";

const columns = `sequence::text AS sequence, ${millisecondsOf("at")} AS at, actor, action, subject, before, after`;

/**
 * Appends a change: $1 the id of this call, $2 its actor, $3 action, $4 subject, $5 the state before and $6 afterwards
 * (null: none). Returns the entry, also if the call is repeated; no row if a repeated call ran at the same time.
 *
 * The sequence is taken while the statement holds a lock, which PostgreSQL releases after the commit. So an entry is
 * visible before the next one has its sequence.
 */
export function appendAuditStatement({ audit, schema }: Tables): string {
  return `
WITH same AS MATERIALIZED (
  SELECT * FROM ${audit} WHERE call = $1
), locked AS MATERIALIZED (
  SELECT pg_advisory_xact_lock(hashtextextended('tollgate audit log of ${schema}', 0))
   WHERE NOT EXISTS (SELECT 1 FROM same)
), made AS (
  INSERT INTO ${audit} (call, at, actor, action, subject, before, after)
  SELECT $1, ${now}, $2, $3, $4, $5, $6 FROM locked
      ON CONFLICT (call) DO NOTHING
  RETURNING *
)
SELECT ${columns} FROM made UNION ALL SELECT ${columns} FROM same`;
}

/**
 * Selects the newest $5 changes before sequence $1, newest first. Null selects all: $2 the actor, $3 the action, $4 the
 * subject.
 */
export function listAuditStatement({ audit }: Tables): string {
  return `
SELECT ${columns} FROM ${audit} AS audit
 WHERE ($1::bigint IS NULL OR audit.sequence < $1::bigint)
   AND ($2::text IS NULL OR actor = $2) AND ($3::text IS NULL OR action = $3) AND ($4::text IS NULL OR subject = $4)
 ORDER BY audit.sequence DESC LIMIT $5::bigint`;
}
