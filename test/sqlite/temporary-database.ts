import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { HoldRequest } from "@tollgate/core/store";
import type { SqliteDatabase, SqliteStatement } from "@tollgate/sqlite";
import { onTestFinished } from "vitest";
import { plainHold } from "../../packages/core/test-support/receipts.ts";

/** A database file for one test; its connections are closed and its folder is deleted after the test. */
export interface TemporaryDatabase {
  readonly file: string;
  connect(): InstanceType<typeof DatabaseSync>;
}

/** Returns a database file that does not exist yet, in a new folder. */
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

/** A hold request of the account, with default values except for the properties in `more`. */
export function holdOf(account: string, amount: bigint, more: Partial<HoldRequest> = {}) {
  return { id: crypto.randomUUID(), account, keyId: "key-1", amount, leaseMs: 60_000, ...plainHold, ...more };
}

/** A credit of the amount with a new id. */
export function creditOf(account: string, amount: bigint) {
  return { id: crypto.randomUUID(), account, amount, reason: "top-up" };
}

/** Returns the database with the methods of each statement overridden by those that `change` returns. */
export function withStatements(
  database: SqliteDatabase,
  change: (statement: SqliteStatement) => Partial<SqliteStatement>,
): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const original = database.prepare(sql);
      return {
        run: (...given) => original.run(...given),
        get: (...given) => original.get(...given),
        all: (...given) => original.all(...given),
        setReadBigInts: (enabled) => original.setReadBigInts(enabled),
        ...change(original),
      };
    },
  };
}
