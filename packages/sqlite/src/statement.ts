import type { SqliteDatabase, SqliteStatement } from "./database.ts";
import { type Parameter, toSqliteValue } from "./parameters.ts";
import { Row } from "./row.ts";

/** A prepared statement that changes rows. */
export class Command {
  readonly #statement: SqliteStatement;

  constructor(database: SqliteDatabase, sql: string) {
    this.#statement = database.prepare(sql);
  }

  /** Returns how many rows changed. */
  run(...parameters: Parameter[]): number {
    return Number(this.#statement.run(...parameters.map(toSqliteValue)).changes);
  }
}

/** A prepared statement that returns rows, each converted by `read`. */
export class Query<Result> {
  readonly #statement: SqliteStatement;
  readonly #read: (row: Row) => Result;

  constructor(database: SqliteDatabase, sql: string, read: (row: Row) => Result) {
    this.#statement = database.prepare(sql);
    this.#statement.setReadBigInts(true);
    this.#read = read;
  }

  first(...parameters: Parameter[]): Result | undefined {
    const row = this.#statement.get(...parameters.map(toSqliteValue));
    return row === undefined || row === null ? undefined : this.#read(new Row(row));
  }

  all(...parameters: Parameter[]): Result[] {
    return this.#statement.all(...parameters.map(toSqliteValue)).map((row) => this.#read(new Row(row)));
  }
}
