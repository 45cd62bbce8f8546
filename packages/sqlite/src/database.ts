/** The type of a column or a parameter. Integers are read as bigint. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** The methods of a prepared statement that the stores call, as `node:sqlite` defines them. */
export interface SqliteStatement {
  run(...parameters: SqliteValue[]): { readonly changes: number | bigint };
  get(...parameters: SqliteValue[]): unknown;
  all(...parameters: SqliteValue[]): unknown[];
  setReadBigInts(enabled: boolean): void;
}

/** A `DatabaseSync` of `node:sqlite`, or of `@photostructure/sqlite` on Node 20. The host opens and closes it. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** True while a transaction is open. Absent: the stores try to begin one, to know. */
  readonly isTransaction?: boolean;
}
