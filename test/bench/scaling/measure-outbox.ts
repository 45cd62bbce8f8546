import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { UsageRow, UsageStore } from "@tollgate/core/store";
import { migratePostgres, postgresUsageStore } from "@tollgate/postgres";
import pg from "pg";
import { alternate, type Rounds } from "../rounds.ts";
import { newRow } from "../usage/new-row.ts";

/** Where the rows of usage go. */
export type OutboxName = "PostgreSQL" | "JetStream, a message for each row" | "JetStream, a message for each batch";

/** What a place for usage takes. */
export interface OutboxCost {
  /** CPU time of this process for each row, in microseconds. */
  readonly microseconds: number;
  /** Rows a second, in batches of 500, each of which is stored when the next one is sent. */
  readonly rows: number;
}

/** Each place in every round. Empty if no NATS server answers. */
export interface OutboxResults {
  readonly outbox: Rounds<OutboxName, OutboxCost>;
}

interface Place {
  readonly record: UsageStore["record"];
  close(): Promise<void>;
}

const databaseUrl = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const natsServer = process.env["NATS_URL"] ?? "nats://127.0.0.1:4222";
const batchSize = 500;

/** Measures what it takes to write usage into the database, and to publish it to a stream that keeps it on disk. */
export async function measureOutbox(rounds: number, seconds: number): Promise<OutboxResults> {
  const hasNats = await answersNats();
  const names = outboxNames.filter((name) => hasNats || name === "PostgreSQL");
  const outbox = await alternate(names, rounds, async (name) => {
    const place = await openPlace[name]();
    try {
      await recordFor(place, seconds / 4);
      return await recordFor(place, seconds);
    } finally {
      await place.close();
    }
  });
  return { outbox };
}

const openPlace: Readonly<Record<OutboxName, () => Promise<Place>>> = {
  PostgreSQL: openPostgres,
  "JetStream, a message for each row": () => openStream((rows) => rows.map((row) => [row])),
  "JetStream, a message for each batch": () => openStream((rows) => [rows]),
};
const outboxNames: readonly OutboxName[] = [
  "PostgreSQL",
  "JetStream, a message for each row",
  "JetStream, a message for each batch",
];

async function recordFor({ record }: Place, seconds: number): Promise<OutboxCost> {
  const batch = Array.from({ length: batchSize }, (_, index) => newRow(index));
  const begin = performance.now();
  const before = process.cpuUsage();
  let rows = 0;
  while (performance.now() < begin + seconds * 1_000) {
    await record(batch.map((row) => ({ ...row, id: crypto.randomUUID() })));
    rows += batchSize;
  }
  const { user, system } = process.cpuUsage(before);
  return { microseconds: (user + system) / rows, rows: (rows * 1_000) / (performance.now() - begin) };
}

async function openPostgres(): Promise<Place> {
  const schema = `bench_outbox_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 }).on("error", () => undefined);
  await migratePostgres(pool, { schema });
  const store = postgresUsageStore(pool, { schema });
  return {
    record: (rows) => store.record(rows),
    async close() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

/** Messages are lines of JSON, which ClickHouse inserts as they are. The server drops messages whose id repeats. */
async function openStream(messagesOf: (rows: readonly UsageRow[]) => readonly (readonly UsageRow[])[]): Promise<Place> {
  const connection = await connect({ servers: natsServer });
  const name = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name, subjects: [`${name}.usage`] });
  const client = jetstream(connection);
  return {
    async record(rows) {
      const publish = (message: readonly UsageRow[]) =>
        client.publish(`${name}.usage`, message.map(inJson).join("\n"), { msgID: message[0]?.id ?? "" });
      await Promise.all(messagesOf(rows).map(publish));
      return rows.length;
    },
    async close() {
      await manager.streams.delete(name);
      await connection.close();
    },
  };
}

const inJson = (row: UsageRow): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

async function answersNats(): Promise<boolean> {
  try {
    const connection = await connect({ servers: natsServer, timeout: 1_000 });
    await connection.close();
    return true;
  } catch {
    console.log(`No NATS server answers at ${natsServer}, so JetStream is not measured. Set NATS_URL to one.`);
    return false;
  }
}
