import type { Awaitable } from "@tollgate/core/internal";
import { checkedWholeNumber, type Entry, type EntryFeed } from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { Entries } from "./entries.ts";

/** The entries of all accounts in a SQLite database that the host opens. Its writers take turns, so their order is that of commits. */
export function sqliteEntryFeed(database: SqliteDatabase): EntryFeed {
  return new EntryFeedInSqlite(new Connection(database));
}

class EntryFeedInSqlite implements EntryFeed {
  readonly #connection: Connection;
  readonly #entries: Entries;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#entries = new Entries(connection);
  }

  read({ after, limit }: Parameters<EntryFeed["read"]>[0]): Awaitable<readonly Entry[]> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    return this.#connection.read(() => this.#entries.after(after, wanted));
  }
}
