import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";

/** A message of the stream. */
export interface LedgerMessage {
  readonly subject: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const stream = "LEDGER";

/** Connects to a server, and makes the stream of a ledger and the bucket of its position. */
export async function openLedgerStream(url: string) {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: stream, subjects: ["tollgate.entries.*"] });
  return {
    jetstream: jetstream(connection),
    bucket: await new Kvm(connection).create("tollgate"),
    /** Returns all messages of the stream. */
    async messages(): Promise<readonly LedgerMessage[]> {
      const { state } = await manager.streams.info(stream);
      const found: LedgerMessage[] = [];
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
        const message = await manager.streams.getMessage(stream, { seq });
        if (message !== null) found.push({ subject: message.subject, content: message.json() });
      }
      return found;
    },
    close: () => connection.close(),
  };
}
