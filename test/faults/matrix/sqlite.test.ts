import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { memoryLimiter } from "@tollgate/core";
import { type SqliteDatabase, sqliteStores } from "@tollgate/sqlite";
import { afterAll, describe, expect } from "vitest";
import { type Expected, type Fault, runCell } from "./cell.ts";
import { type Case, inLanes } from "./lanes.ts";
import { patient, Scene } from "./scene.ts";

type Connection = InstanceType<typeof DatabaseSync>;

/** A fault of the whole database, and the connection of the gateway's stores. */
interface BrokenDatabase extends Fault {
  readonly database: SqliteDatabase;
}

interface Column {
  readonly name: string;
  readonly expected: Expected;
  /** A text in the events of the fault. */
  readonly reported: string;
  /** `own` is the gateway's connection, `other` a connection of another process. */
  make(own: Connection, other: Connection): BrokenDatabase;
}

const columns: readonly Column[] = [
  {
    name: "is locked by another process",
    expected: "refused",
    reported: "no answer in 3000 ms",
    make: (own, other) => switched(own, "BEGIN IMMEDIATE", "ROLLBACK", other),
  },
  {
    name: "finds the disk full",
    // Writes that fit into existing pages still succeed.
    expected: "either",
    reported: "database or disk is full",
    make: (own) => ({
      database: own,
      begin: () => own.exec(`PRAGMA max_page_count = ${own.prepare("PRAGMA page_count").get().page_count}`),
      lift: () => own.exec("PRAGMA max_page_count = 1000000"),
    }),
  },
  {
    name: "is read-only",
    expected: "refused",
    reported: "readonly database",
    make: (own) => switched(own, "PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
  },
  {
    name: "cannot begin to write",
    expected: "refused",
    reported: "disk I/O error",
    make: (own) => onBrokenDisk(own, (exec, sql) => (sql.startsWith("BEGIN") ? inputOutputError() : exec())),
  },
  {
    name: "cannot commit",
    expected: "refused",
    reported: "disk I/O error",
    make: (own) => onBrokenDisk(own, (exec, sql) => (sql === "COMMIT" ? inputOutputError() : exec())),
  },
  {
    name: "fails when it has committed",
    expected: "refused",
    reported: "disk I/O error",
    make: (own) =>
      onBrokenDisk(own, (exec, sql) => {
        exec();
        if (sql === "COMMIT") inputOutputError();
      }),
  },
];

function switched(own: Connection, begin: string, lift: string, connection = own): BrokenDatabase {
  return { database: own, begin: () => connection.exec(begin), lift: () => connection.exec(lift) };
}

/** Simulates the errors of a broken disk, since a real disk does not fail on demand. */
function onBrokenDisk(own: Connection, meet: (exec: () => void, sql: string) => void): BrokenDatabase {
  let lasts = false;
  return {
    database: {
      exec: (sql) => (lasts ? meet(() => own.exec(sql), sql) : own.exec(sql)),
      prepare: (sql) => own.prepare(sql),
    },
    begin() {
      lasts = true;
    },
    lift() {
      lasts = false;
    },
  };
}

function inputOutputError(): never {
  throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 10 });
}

const folder = mkdtempSync(join(tmpdir(), "tollgate-matrix-"));
const opened: Connection[] = [];

function open(file: string): Connection {
  const connection = new DatabaseSync(file);
  // The smallest page size, so that the database grows with almost every request.
  connection.exec("PRAGMA page_size = 512");
  opened.push(connection);
  return connection;
}

describe("on SQLite", () => {
  afterAll(() => {
    for (const connection of opened) connection.close();
    rmSync(folder, { recursive: true });
  });

  const cases = columns.map(
    ({ name, expected, reported, make }): Case => ({
      name: `the database ${name}: the host is notified, and the ledger is exact`,
      async run() {
        const file = join(folder, `${name}.db`);
        const fault = make(open(file), open(file));
        const limiter = memoryLimiter();
        const sound = { ...sqliteStores(open(file)), limiter };
        const scene = new Scene(sound, { ...sqliteStores(fault.database), limiter }, patient);
        const figures = await runCell(scene, fault, expected);
        expect(inspect(scene.tested.events)).toContain(reported);
        return figures;
      },
    }),
  );
  inLanes("databases of SQLite under faults", cases, cases.length);
});
