import type { Awaitable } from "@tollgate/core/internal";
import { requireMethods } from "@tollgate/core/internal";
import { CommitGroup } from "./commit-group.ts";
import type { SqliteDatabase } from "./database.ts";
import { LockQueue } from "./lock-queue.ts";
import { migrate } from "./migrations.ts";
import type { Row } from "./row.ts";
import { setUp, setUpForUse } from "./set-up.ts";
import { HostTransactionError, isWithinTransaction } from "./sqlite-errors.ts";
import { Command, Query } from "./statement.ts";

const openFirst =
  "Open the database first and pass it: new DatabaseSync(path) of node:sqlite, or of @photostructure/sqlite on Node 20.";

/** The host's connection, prepared for the stores: settings, tables, transactions. */
export class Connection {
  /** Identifies this database: its file, or a random id for a database in memory. */
  readonly location: string;
  /** What the host passed. */
  readonly database: SqliteDatabase;
  readonly #writes = new LockQueue();
  readonly #reads = new LockQueue();
  readonly #group = new CommitGroup((step) => this.#writes.run(() => this.#transaction(step)));

  /** Throws when the SQLite library is too old, the file cannot be used safely, or a newer version has migrated it. */
  constructor(database: SqliteDatabase) {
    requireMethods("The SQLite store", database, ["exec", "prepare"], openFirst);
    this.database = database;
    setUp(database);
    this.#transaction(() => migrate(database));
    setUpForUse(database);
    this.location = locationOf(this);
  }

  command(sql: string): Command {
    return new Command(this.database, sql);
  }

  query<Result>(sql: string, read: (row: Row) => Result): Query<Result> {
    return new Query(this.database, sql, read);
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
    return this.#reads.run(() => {
      // The step would see what the host has not committed.
      if (this.#isHostInTransaction()) throw new HostTransactionError("A transaction is open.");
      return step();
    });
  }

  /** Runs a step whose queries all see the same snapshot. */
  snapshot<T>(step: () => T): Awaitable<T> {
    return this.#reads.run(() => this.#transaction(step, "BEGIN"));
  }

  /**
   * Runs a step as a part of the transaction that the host has open: it takes effect with the host's commit. Without effect
   * when it throws.
   */
  joinTransaction<T>(step: () => T): T {
    if (!this.#isHostInTransaction()) throw new Error(noTransaction);
    this.database.exec("SAVEPOINT tollgate");
    return this.#finish(step, "RELEASE tollgate", "ROLLBACK TO tollgate; RELEASE tollgate");
  }

  // Not deferred: SQLite can refuse a lock that is requested at the first write, after rows have been read.
  #transaction<T>(step: () => T, begin = "BEGIN IMMEDIATE"): T {
    this.#begin(begin);
    return this.#finish(step, "COMMIT", "ROLLBACK");
  }

  #begin(sql: string): void {
    try {
      this.database.exec(sql);
    } catch (error) {
      throw isWithinTransaction(error) ? new HostTransactionError("A transaction is open.", { cause: error }) : error;
    }
  }

  #finish<T>(step: () => T, commit: string, rollBack: string): T {
    try {
      const result = step();
      this.database.exec(commit);
      return result;
    } catch (error) {
      try {
        this.database.exec(rollBack);
      } catch {
        // After some failures, such as a full disk, SQLite has already rolled back. The caller needs the first error.
      }
      throw error;
    }
  }

  /** Called outside of the transactions of the store itself, which begin and end in one turn. */
  #isHostInTransaction(): boolean {
    const { isTransaction } = this.database;
    if (isTransaction !== undefined) return isTransaction;
    try {
      this.#begin("BEGIN");
    } catch (error) {
      if (error instanceof HostTransactionError) return true;
      throw error;
    }
    this.database.exec("ROLLBACK");
    return false;
  }
}

const noTransaction =
  'There is no transaction to join. Begin one first, with database.exec("BEGIN IMMEDIATE"), and call the method without an await before the commit.';

function locationOf(connection: Connection): string {
  const file = connection
    .query("SELECT file FROM pragma_database_list WHERE name = 'main'", (row) => row.text("file"))
    .first();
  return file === undefined || file === "" ? `the SQLite database ${crypto.randomUUID()}` : `the SQLite file ${file}`;
}
