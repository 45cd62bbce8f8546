import type { ClientData, Session, SessionRef } from "@tollgate/core";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import type { Statement } from "./schema.ts";
import { isStorableText } from "./text.ts";

/** Reads a session from its columns. */
export function toSession(row: Row): Session {
  const clientData: ClientData = JSON.parse(row.text("client_data"));
  return {
    id: row.text("id"),
    account: row.text("account_id"),
    assistantId: row.text("assistant_id"),
    clientData,
    createdAt: row.date("created_at"),
    updatedAt: row.date("updated_at"),
  };
}

/**
 * Runs a statement whose first values are a session and its account. There are no rows for names that PostgreSQL does
 * not keep, since there can be no such session.
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
