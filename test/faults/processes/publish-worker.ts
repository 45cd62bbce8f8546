import { DatabaseSync } from "@photostructure/sqlite";
import type { EntryFeed } from "@tollgate/core/store";
import { positionInBucket, publishLedger } from "@tollgate/nats";
import { postgresEntryFeed } from "@tollgate/postgres";
import { sqliteEntryFeed } from "@tollgate/sqlite";
import { Pool } from "pg";
import { openLedgerStream } from "../../nats/ledger-stream.ts";
import type { StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** The task of a process that publishes a ledger up to a sequence number, and kills itself at one of its steps. */
export interface PublishTask {
  readonly store: StoreAddress;
  readonly nats: string;
  readonly key: string;
  readonly upTo: string;
  /** The number of the step, from 1: before and after each call. */
  readonly dieAt: number;
}

const task = readTask<PublishTask>();
let steps = 0;
const step = (): void => {
  if (++steps === task.dieAt) process.kill(process.pid, "SIGKILL");
};

/** Makes a call between two steps. */
async function stepped<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  step();
  const result = await call();
  step();
  return result;
}

void publish();

async function publish(): Promise<void> {
  const feed = openFeed(task.store);
  const stream = await openLedgerStream(task.nats);
  const position = positionInBucket(stream.bucket, task.key);
  const published = publishLedger({
    feed: { read: (query) => stepped(() => feed.read(query)) },
    jetstream: { publish: (...message) => stepped(() => stream.jetstream.publish(...message)) },
    position: {
      load: () => stepped(() => position.load()),
      save: (sequence) => stepped(() => position.save(sequence)),
    },
    ledger: task.key,
    pollMs: 5,
  });
  while (published.position < BigInt(task.upTo)) await new Promise((resolve) => setTimeout(resolve, 5));
  process.exit(0);
}

function openFeed(address: StoreAddress): EntryFeed {
  if (address.kind === "sqlite") return sqliteEntryFeed(new DatabaseSync(address.file));
  const pool = new Pool({ connectionString: address.url, max: 2 }).on("error", () => undefined);
  return postgresEntryFeed(pool, { schema: address.schema });
}
