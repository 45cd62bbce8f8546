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

/** A fault of the whole database, and the connection that the gateway's stores get. */
interface BrokenDatabase extends Fault {
  readonly database: SqliteDatabase;
}

interface Column {
  readonly name: string;
  readonly expected: Expected;
  /** What the host is told of it. */
  readonly told: string;
  /** `own` is the gateway's connection, `other` one of another process. */
  make(own: Connection, other: Connection): BrokenDatabase;
}

const columns: readonly Column[] = [
  {
    name: "is locked by another process",
    expected: "refused",
    told: "no answer in 3000 ms",
    make: (own, other) => switched(own, "BEGIN IMMEDIATE", "ROLLBACK", other),
  },
  {
    name: "finds the disk full",
    // What fits into the pages that it has is still done.
    expected: "either",
    told: "database or disk is full",
    make: (own) => ({
      database: own,
      begin: () => own.exec(`PRAGMA max_page_count = ${own.prepare("PRAGMA page_count").get().page_count}`),
      lift: () => own.exec("PRAGMA max_page_count = 1000000"),
    }),
  },
  {
    name: "may only be read",
    expected: "refused",
    told: "readonly database",
    make: (own) => switched(own, "PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
  },
  {
    name: "cannot begin to write",
    expected: "refused",
    told: "disk I/O error",
    make: (own) => onBrokenDisk(own, (exec, sql) => (sql.startsWith("BEGIN") ? inputOutputError() : exec())),
  },
  {
    name: "cannot commit",
    expected: "refused",
    told: "disk I/O error",
    make: (own) => onBrokenDisk(own, (exec, sql) => (sql === "COMMIT" ? inputOutputError() : exec())),
  },
  {
    name: "fails when it has committed",
    expected: "refused",
    told: "disk I/O error",
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

/** No disk breaks on demand, so its errors are raised in front of the database. */
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
  // The smallest there are, so that the database grows with almost every request.
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
    ({ name, expected, told, make }): Case => ({
      name: `the database ${name}: the host learns of it, and the books are exact`,
      async run() {
        const file = join(folder, `${name}.db`);
        const fault = make(open(file), open(file));
        const limiter = memoryLimiter();
        const sound = { ...sqliteStores(open(file)), limiter };
        const scene = new Scene(sound, { ...sqliteStores(fault.database), limiter }, patient);
        const figures = await runCell(scene, fault, expected);
        expect(inspect(scene.tested.events)).toContain(told);
        return figures;
      },
    }),
  );
  inLanes("databases of SQLite under faults", cases, cases.length);
});
