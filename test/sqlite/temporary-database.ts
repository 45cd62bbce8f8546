import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { SqliteDatabase, SqliteStatement } from "@tollgate/sqlite";
import { onTestFinished } from "vitest";

/** A database file of one test; its connections are closed and its folder is deleted when the test ends. */
export interface TemporaryDatabase {
  readonly file: string;
  connect(): InstanceType<typeof DatabaseSync>;
}

/** A file that does not exist yet, in a folder of its own. */
export function temporaryDatabase(): TemporaryDatabase {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
  const file = join(folder, "test.db");
  const connections: InstanceType<typeof DatabaseSync>[] = [];
  onTestFinished(() => {
    for (const connection of connections) if (connection.isOpen) connection.close();
    rmSync(folder, { recursive: true });
  });
  return {
    file,
    connect: () => {
      const connection = new DatabaseSync(file);
      connections.push(connection);
      return connection;
    },
  };
}

/** What a hold of the account asks for, made up but for what `more` says. */
export function holdOf(account: string, amount: bigint, more: { readonly id?: string; readonly keyId?: string } = {}) {
  return { id: crypto.randomUUID(), account, keyId: "key-1", amount, leaseMs: 60_000, terms: [], ...more };
}

/** A credit of the amount under an id of its own. */
export function creditOf(account: string, amount: bigint) {
  return { id: crypto.randomUUID(), account, amount, reason: "top-up" };
}

/** The database with each of its statements replaced by what `change` makes of it. */
export function withStatements(
  database: SqliteDatabase,
  change: (statement: SqliteStatement) => Partial<SqliteStatement>,
): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const sound = database.prepare(sql);
      return {
        run: (...given) => sound.run(...given),
        get: (...given) => sound.get(...given),
        all: (...given) => sound.all(...given),
        setReadBigInts: (enabled) => sound.setReadBigInts(enabled),
        ...change(sound),
      };
    },
  };
}
