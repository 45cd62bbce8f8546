import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { Abilities, World } from "@tollgate/exact-money";
import { Client } from "pg";
import { PostgresPair } from "../../faults/failover/postgres-pair.ts";
import { hasEveryProgram } from "../../support/own-postgres.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import type { StoreAddress } from "./task.ts";

/** The data of one gateway, and how its store can fail. */
export interface GatewayData {
  readonly address: StoreAddress;
  /** Absent: the store cannot fail by itself. */
  readonly outage?: Abilities["storeOutage"];
  /** Absent: the store has no standby. */
  readonly failover?: Abilities["failover"];
  remove(): Promise<void>;
}

/** Makes an empty place for the data of a gateway. */
export const dataIn: Readonly<Record<StoreAddress["kind"], (needs: World["needs"]) => Promise<GatewayData>>> = {
  memory: async () => ({ address: { kind: "memory" }, remove: async () => undefined }),
  sqlite: sqliteFile,
  postgres: (needs) => (needs.has("failover") ? postgresPair() : postgresSchema()),
};

/** In an outage, another connection keeps the file locked for writing. */
async function sqliteFile(): Promise<GatewayData> {
  const folder = await mkdtemp(join(tmpdir(), "exact-money-"));
  const file = join(folder, "ledger.db");
  let lock: InstanceType<typeof DatabaseSync> | undefined;
  return {
    address: { kind: "sqlite", file },
    outage: {
      async begin() {
        lock = new DatabaseSync(file);
        lock.exec("PRAGMA busy_timeout = 5000");
        lock.exec("BEGIN IMMEDIATE");
      },
      async end() {
        lock?.exec("ROLLBACK");
        lock?.close();
        lock = undefined;
      },
    },
    async remove() {
      lock?.close();
      await rm(folder, { recursive: true });
    },
  };
}

const server = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** In an outage, every connection to the server is reset. */
async function postgresSchema(): Promise<GatewayData> {
  const schema = `exact_money_${crypto.randomUUID().replaceAll("-", "")}`;
  const proxy = await TcpProxy.to(server);
  return {
    address: { kind: "postgres", url: proxy.url, schema },
    outage: {
      async begin() {
        proxy.network = "reset";
      },
      async end() {
        proxy.network = "pass";
      },
    },
    ...(hasEveryProgram && { failover: async () => Promise.reject(new Error("This server has no standby.")) }),
    async remove() {
      proxy.stop();
      const client = new Client({ connectionString: server });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** A server of its own with a standby, which takes its place in a failover. */
async function postgresPair(): Promise<GatewayData> {
  const pair = await PostgresPair.start("remote_apply");
  return {
    address: { kind: "postgres", url: pair.url, schema: "tollgate" },
    failover: async () => void (await pair.failOver("crashed")),
    remove: () => pair.stop(),
  };
}
