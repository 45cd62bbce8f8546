import { createClient } from "@clickhouse/client";
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const clickhouse = createClient({ url: process.env["CLICKHOUSE_URL"] ?? "http://127.0.0.1:8123" });
// Of rows with the same order, merges keep one, and so does a query with FINAL.
await clickhouse.command({
  query: `CREATE TABLE IF NOT EXISTS ledger_entry (
            id String, sequence UInt64, account String, kind LowCardinality(String), amount Decimal(38, 9),
            reference String, model LowCardinality(String), at DateTime64(3, 'UTC')
          ) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(at) ORDER BY (account, sequence, id)`,
});

const connection = await connect({
  servers: process.env["NATS_URL"] ?? "nats://127.0.0.1:4222",
  maxReconnectAttempts: -1,
});
const manager = await jetstreamManager(connection);
await manager.consumers.add("LEDGER", { durable_name: "clickhouse", ack_policy: AckPolicy.Explicit });
const consumer = await jetstream(connection).consumers.get("LEDGER", "clickhouse");

let running = true;
process.once("SIGTERM", () => {
  running = false;
});
console.log("Consuming: the entries of the ledger");
while (running) {
  const messages: JsMsg[] = [];
  for await (const message of await consumer.fetch({ max_messages: 1_000, expires: 1_000 })) messages.push(message);
  if (messages.length === 0) continue;
  const values = messages.map((message) => toRow(message.json<LedgerEntry>()));
  await clickhouse.insert({ table: "ledger_entry", values, format: "JSONEachRow" });
  // After the insert: what was not acknowledged is delivered again, and inserted again.
  for (const message of messages) message.ack();
}
await connection.drain();
await clickhouse.close();

/** The members of an entry that are stored here. Amounts are decimal strings in the currency of the host. */
interface LedgerEntry {
  readonly id: string;
  readonly sequence: string;
  readonly account: string;
  readonly kind: string;
  readonly amount: string;
  readonly reference: string;
  readonly receipt?: { readonly model?: string };
  readonly at: string;
}

function toRow({ id, sequence, account, kind, amount, reference, receipt, at }: LedgerEntry) {
  const time = at.replace("T", " ").replace("Z", "");
  return { id, sequence, account, kind, amount, reference, model: receipt?.model ?? "", at: time };
}
