import { migratePostgres, postgresStores } from "@tollgate/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { runCell } from "./cell.ts";
import { type Case, inLanes } from "./lanes.ts";
import { networkFault, networks } from "./networks.ts";
import { patient, Scene } from "./scene.ts";

const url = inject("postgres");
const schema = `network_${crypto.randomUUID().slice(0, 8)}`;
const ends: (() => unknown)[] = [];

/** A pool with the recommended timeouts. */
function openPool(connectionString = url): pg.Pool {
  const bounds = { connectionTimeoutMillis: 2_000, query_timeout: 2_000, statement_timeout: 1_800 };
  const pool = new pg.Pool({ connectionString, max: 4, ...bounds }).on("error", () => undefined);
  ends.push(() => pool.end());
  return pool;
}

describe.skipIf(url === undefined)("the network between a gateway and PostgreSQL", () => {
  let direct: pg.Pool;
  beforeAll(async () => {
    direct = openPool();
    await migratePostgres(direct, { schema });
  });
  afterAll(async () => {
    await direct.query(`DROP SCHEMA ${schema} CASCADE`);
    await Promise.all(ends.map((end) => end()));
  });

  const cases = networks.map(
    ({ name, network, outage }): Case => ({
      name: `${name}: requests are ${outage ? "refused" : "served"}, and the ledger is exact`,
      async run() {
        const proxy = await TcpProxy.to(url ?? "");
        ends.push(() => proxy.stop());
        const sound = await postgresStores(direct, { schema, migrate: false });
        const ports = await postgresStores(openPool(proxy.url), { schema, migrate: false });
        return runCell(new Scene(sound, ports, patient), networkFault(proxy, network), outage ? "refused" : "served");
      },
    }),
  );
  inLanes("PostgreSQL behind a broken network", cases, cases.length);
});
