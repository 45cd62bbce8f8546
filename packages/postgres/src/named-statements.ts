import { createHash } from "node:crypto";
import { isNameRefused } from "./database-error.ts";
import type { PostgresPool, PostgresResult, PostgresStatement } from "./pool.ts";

/** The pools on which a name was refused. */
const withoutNames = new WeakSet<PostgresPool>();

/**
 * Names a text, so that each connection parses and plans it once. The name is a hash, because `pg` and poolers that share
 * connections between processes require one text for a name, also while two versions of a statement are in use.
 */
export function namedText(text: string): { readonly name: string; readonly text: string } {
  return { name: `tollgate_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`, text };
}

/**
 * Runs a statement in a transaction of its own. When its name is refused, it has not run, so it is repeated once without a
 * name. From then on, no statement of the pool has a name: poolers such as PgBouncer before 1.21 in transaction mode run
 * each transaction on another connection, which has no statement of the name, or has it from another process.
 */
export async function runStatement(pool: PostgresPool, statement: PostgresStatement): Promise<PostgresResult> {
  if (statement.name === undefined || withoutNames.has(pool)) return pool.query(withoutName(statement));
  try {
    return await pool.query(statement);
  } catch (error) {
    if (!isNameRefused(error)) throw error;
    withoutNames.add(pool);
    return pool.query(withoutName(statement));
  }
}

/** Removes the name of a statement, for a transaction of several statements: an error would end it. */
export const withoutName = ({ text, values = [] }: PostgresStatement): PostgresStatement => ({ text, values });
