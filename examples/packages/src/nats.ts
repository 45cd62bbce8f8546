import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect, nanos } from "@nats-io/transport-node";
import { positionInBucket, publishLedger } from "@tollgate/nats";
import { migratePostgres, postgresEntryFeed } from "@tollgate/postgres";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
await migratePostgres(pool);

const connection = await connect({
  servers: process.env["NATS_URL"] ?? "nats://127.0.0.1:4222",
  maxReconnectAttempts: -1,
});
const manager = await jetstreamManager(connection);
// The stream drops an entry that it has had in the last 10 minutes.
const stream = { name: "LEDGER", subjects: ["tollgate.entries.*"], duplicate_window: nanos(600_000) };
await manager.streams.add(stream);

const published = publishLedger({
  feed: postgresEntryFeed(pool),
  jetstream: jetstream(connection),
  position: positionInBucket(await new Kvm(connection).create("tollgate")),
  observer: ({ cause }) => console.error(`The ledger is published later: ${cause}`),
});

process.once("SIGTERM", async () => {
  await published.close();
  await connection.drain();
  await pool.end();
});
console.log("Publishing: the entries of the ledger");
