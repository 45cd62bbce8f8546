import { setTimeout as pause } from "node:timers/promises";
import {
  migratePostgres,
  type PostgresPool,
  type PostgresResult,
  type PostgresStatement,
  postgresBalanceStore,
  postgresStores,
} from "@tollgate/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { runCell } from "./cell.ts";
import { stallMs } from "./faults.ts";
import { type Case, inLanes } from "./lanes.ts";
import type { Operation, Ports } from "./ports.ts";
import { patient, Scene } from "./scene.ts";
import { type Intercept, StatementFault } from "./statement-fault.ts";

const url = inject("postgres");
const run = crypto.randomUUID().slice(0, 8);

const openPool = (config: pg.PoolConfig = {}) =>
  new pg.Pool({ connectionString: url, ...config }).on("error", () => undefined);
const pool = openPool({ max: 16 });
const readOnly = openPool({ max: 4, options: "-c default_transaction_read_only=on" });
const impatient = openPool({ max: 4, statement_timeout: 50 });
const empty = openPool({ max: 1, connectionTimeoutMillis: 200 });

interface Row {
  readonly operation: Operation | "balances";
  readonly needed: boolean;
  readonly writes: boolean;
}

const rows: readonly Row[] = [
  { operation: "keys.find", needed: true, writes: false },
  { operation: "terms.acceptance", needed: true, writes: false },
  { operation: "limiter.countRequest", needed: true, writes: true },
  { operation: "limiter.reserve", needed: true, writes: true },
  { operation: "limiter.settle", needed: false, writes: true },
  { operation: "limiter.renew", needed: false, writes: true },
  { operation: "balances.hold", needed: true, writes: true },
  { operation: "balances.settle", needed: false, writes: true },
  { operation: "balances.release", needed: false, writes: true },
  { operation: "balances.renew", needed: false, writes: true },
  { operation: "balances.expire", needed: false, writes: true },
  { operation: "balances", needed: true, writes: true },
];

const query = (statement: PostgresStatement): Promise<PostgresResult> => pool.query(statement);

/** Makes the server raise an error with this SQLSTATE. */
const raise = (state: string): Promise<PostgresResult> =>
  pool.query(`DO $$ BEGIN RAISE EXCEPTION 'seeded' USING ERRCODE = '${state}'; END $$`);

/** Makes the server end the connection. */
const terminate = (): Promise<PostgresResult> => pool.query("SELECT pg_terminate_backend(pg_backend_pid())");

const after =
  (fail: () => Promise<PostgresResult>): Intercept =>
  (statement) =>
    query(statement).then(fail);

const columns: Readonly<Record<string, Intercept>> = {
  "stalls and then takes effect": (statement) => pause(stallMs).then(() => query(statement)),
  "takes effect and then stalls": (statement) => query(statement).then((answer) => pause(stallMs, answer)),
  "cannot be serialized (40001)": () => raise("40001"),
  "is the victim of a deadlock (40P01)": () => raise("40P01"),
  "finds the disk full (53100)": () => raise("53100"),
  "is cancelled for taking too long (57014)": () => impatient.query("SELECT pg_sleep(10)"),
  "loses its connection before its effect": terminate,
  "loses its connection after its effect": after(terminate),
  "fails after its effect": after(() => raise("58030")),
  "finds the pool of connections empty": (statement) => empty.query(statement),
  "meets a server that is read-only (25006)": (statement) => readOnly.query(statement),
};

describe.skipIf(url === undefined)("on PostgreSQL", () => {
  const schemaOf = ({ operation }: Row) => `matrix_${run}_${operation.replace(".", "_")}`;

  beforeAll(async () => {
    await empty.connect();
    for (const row of rows) await migratePostgres(pool, { schema: schemaOf(row) });
  });
  afterAll(async () => {
    for (const row of rows) await pool.query(`DROP SCHEMA "${schemaOf(row)}" CASCADE`);
    await Promise.all([pool, readOnly, impatient].map((each) => each.end()));
  });

  const cases = rows.flatMap((row) =>
    Object.entries(columns).map(([name, meet]): Case => {
      const { operation, needed, writes } = row;
      const refused = needed && (writes || !name.includes("read-only"));
      return {
        name: `${operation} ${name}: requests are ${refused ? "refused" : "served"}, and the ledger is exact`,
        async run() {
          const fault = new StatementFault(operation, meet);
          const sound = await openStores(pool, row);
          const ports = fault.watch(await openStores(fault.applyTo(pool), row));
          return runCell(new Scene(sound, ports, patient), fault, refused ? "refused" : "served");
        },
      };
    }),
  );

  /** A fault of a single operation needs a separate statement for each call, so batching is off. */
  async function openStores(connections: PostgresPool, row: Row): Promise<Ports> {
    const schema = schemaOf(row);
    const { keys, terms, sessions, limiter } = await postgresStores(connections, { schema, migrate: false });
    const checks = { checkKeys: true, checkTerms: true, batching: row.operation === "balances" };
    const balances = postgresBalanceStore(connections, { schema, ...checks });
    return { keys, terms, balances, sessions, limiter };
  }

  inLanes("statements in PostgreSQL under faults", cases, 32);
});
