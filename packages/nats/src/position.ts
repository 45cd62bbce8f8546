import type { Awaitable } from "@tollgate/core/internal";
import type { KeyValueBucket } from "./client.ts";

/** Where the sequence number of the last published entry is kept, for the next start. A throw is an outage. */
export interface PublishedPosition {
  /** Returns the number that was saved last; undefined before the first. */
  load(): Awaitable<bigint | undefined>;
  /** Durable when it resolves. */
  save(sequence: bigint): Awaitable<void>;
}

/** Keeps the position in a bucket of NATS, under the key "entries" by default. Each ledger needs a key of its own. */
export function positionInBucket(bucket: KeyValueBucket, key = "entries"): PublishedPosition {
  return {
    async load() {
      const saved = (await bucket.get(key))?.string();
      if (saved === undefined || saved === "") return undefined;
      if (!/^\d+$/.test(saved))
        throw new Error(
          `The key "${key}" of the bucket has "${saved}" and not the sequence number of an entry. Delete it to publish the whole ledger again, or use another key.`,
        );
      return BigInt(saved);
    },
    async save(sequence) {
      await bucket.put(key, String(sequence));
    },
  };
}
