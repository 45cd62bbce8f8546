import type { Session, SessionRef } from "@tollgate/core/store";
import { readClientData } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import type { Statement } from "./schema.ts";
import { isStorableText } from "./text.ts";

/** Reads a session from its columns. */
export function toSession(row: Row): Session {
  return {
    id: row.text("id"),
    account: row.text("account_id"),
    assistantId: row.text("assistant_id"),
    clientData: readClientData(row.text("client_data")),
    createdAt: row.date("created_at"),
    updatedAt: row.date("updated_at"),
  };
}

/**
 * Runs a statement whose first values are a session and its account. Returns no rows for names that PostgreSQL cannot
 * store, since no session can have them.
 */
export async function runForSession(
  database: Database,
  statement: Statement,
  { id, account }: SessionRef,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  if (!isStorableText(id) || !isStorableText(account)) return [];
  return database.run(statement, [id, account, ...values]);
}
