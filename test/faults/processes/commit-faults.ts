import type { SqliteDatabase } from "@tollgate/sqlite";

/** Returns a database whose commits happen only after the store has answered. */
export const answeringEarly = (database: SqliteDatabase): SqliteDatabase => ({
  prepare: (sql) => database.prepare(sql),
  exec: (sql) => {
    if (sql === "COMMIT") setImmediate(() => database.exec(sql));
    else database.exec(sql);
  },
});

/** Returns a database that commits as soon as a hold has ended, and adds the entry of its charge in a second transaction. */
export const settlingInTwo = (database: SqliteDatabase): SqliteDatabase => ({
  exec: (sql) => database.exec(sql),
  prepare: (sql) => {
    const statement = database.prepare(sql);
    if (!sql.startsWith("UPDATE tollgate_hold SET state")) return statement;
    return {
      run: (...parameters) => {
        const result = statement.run(...parameters);
        database.exec("COMMIT; BEGIN IMMEDIATE");
        return result;
      },
      get: (...parameters) => statement.get(...parameters),
      all: (...parameters) => statement.all(...parameters),
      setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
    };
  },
});
