import type { Awaitable } from "@tollgate/core/internal";
import type { TermsAcceptance, TermsStore } from "@tollgate/core/store";
import { AcceptanceRows } from "./acceptance-rows.ts";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";

/** A TermsStore in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. */
export function sqliteTermsStore(database: SqliteDatabase): TermsStore {
  return new TermsInSqlite(new Connection(database));
}

/** The TermsStore on an open connection. */
export class TermsInSqlite implements TermsStore {
  readonly #connection: Connection;
  readonly #acceptances: AcceptanceRows;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#acceptances = new AcceptanceRows(connection);
  }

  accept(account: string, versionId: string): Awaitable<TermsAcceptance> {
    return this.#connection.write(() => this.#acceptances.accept(account, versionId));
  }

  acceptance(account: string, versionIds: readonly string[]): Awaitable<TermsAcceptance | undefined> {
    return this.#connection.read(() => this.#acceptances.firstAccepted(account, versionIds));
  }
}
