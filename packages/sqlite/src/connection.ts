import type { Awaitable } from "@tollgate/core/internal";
import { requireMethods } from "@tollgate/core/internal";
import { CommitGroup } from "./commit-group.ts";
import type { SqliteDatabase } from "./database.ts";
import { LockQueue } from "./lock-queue.ts";
import { migrate } from "./migrations.ts";
import type { Row } from "./row.ts";
import { setUp, setUpForUse } from "./set-up.ts";
import { Command, Query } from "./statement.ts";

const openFirst =
  "Open the database first and pass it: new DatabaseSync(path) of node:sqlite, or of @photostructure/sqlite on Node 20.";

/** The host's connection, prepared for the stores: settings, tables, transactions. */
export class Connection {
  /** Identifies this database: its file, or a random id for a database in memory. */
  readonly place: string;
  readonly #database: SqliteDatabase;
  readonly #writes = new LockQueue();
  readonly #reads = new LockQueue();
  readonly #group = new CommitGroup((step) => this.#writes.run(() => this.#transaction(step)));

  /** Throws when the SQLite library is too old, the file cannot be used safely, or a newer version has migrated it. */
  constructor(database: SqliteDatabase) {
    requireMethods("The SQLite store", database, ["exec", "prepare"], openFirst);
    this.#database = database;
    setUp(database);
    this.#transaction(() => migrate(database));
    setUpForUse(database);
    this.place = placeOf(this);
  }

  command(sql: string): Command {
    return new Command(this.#database, sql);
  }

  query<Result>(sql: string, read: (row: Row) => Result): Query<Result> {
    return new Query(this.#database, sql, read);
  }

  /**
   * Runs the step in a transaction shared with other steps of this turn of the event loop. All of the step is durable
   * when the promise resolves, and none of it is when the promise rejects.
   */
  write<T>(step: () => T): Promise<T> {
    return this.#group.join(step);
  }

  /** Runs a step that only reads. Each of its queries sees its own snapshot. */
  read<T>(step: () => T): Awaitable<T> {
    return this.#reads.run(step);
  }

  #transaction<T>(step: () => T): T {
    // Not deferred: SQLite can refuse a lock that is requested at the first write, after rows have been read.
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = step();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // After some failures, such as a full disk, SQLite has already rolled back. The caller needs the first error.
    }
  }
}

function placeOf(connection: Connection): string {
  const file = connection
    .query("SELECT file FROM pragma_database_list WHERE name = 'main'", (row) => row.text("file"))
    .first();
  return file === undefined || file === "" ? `the SQLite database ${crypto.randomUUID()}` : `the SQLite file ${file}`;
}
