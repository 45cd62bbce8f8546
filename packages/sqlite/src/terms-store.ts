import { type Awaitable, nextOf } from "@tollgate/core/internal";
import {
  type AcceptancePage,
  checkedAcceptanceQuery,
  checkedAccount,
  checkedId,
  type TermsAcceptance,
  type TermsAdmin,
  type TermsStore,
} from "@tollgate/core/store";
import { AcceptanceRows } from "./acceptance-rows.ts";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";

/** A TermsStore and TermsAdmin in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. */
export function sqliteTermsStore(database: SqliteDatabase): TermsStore & TermsAdmin {
  return new TermsInSqlite(new Connection(database));
}

/** The TermsStore and TermsAdmin on an open connection. */
export class TermsInSqlite implements TermsStore, TermsAdmin {
  readonly #connection: Connection;
  readonly #acceptances: AcceptanceRows;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#acceptances = new AcceptanceRows(connection);
  }

  accept(account: string, versionId: string): Awaitable<TermsAcceptance> {
    checkedAccount(account);
    checkedId("versionId", versionId);
    return this.#connection.write(() => this.#acceptances.accept(account, versionId));
  }

  acceptance(account: string, versionIds: readonly string[]): Awaitable<TermsAcceptance | undefined> {
    return this.#connection.read(() => this.#acceptances.firstAccepted(account, versionIds));
  }

  async listAcceptances(unchecked: Parameters<TermsAdmin["listAcceptances"]>[0]): Promise<AcceptancePage> {
    const query = checkedAcceptanceQuery(unchecked);
    const { limit } = query;
    const found = await this.#connection.read(() => this.#acceptances.page({ ...query, limit: limit + 1 }));
    const acceptances = found.slice(0, limit);
    return { acceptances, ...nextOf(acceptances, found.length, ({ account, versionId }) => ({ account, versionId })) };
  }
}
