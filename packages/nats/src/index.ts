export type { JetStreamPublisher, KeyValueBucket } from "./client.ts";
export { type PublishedPosition, positionInBucket } from "./position.ts";
export {
  type LedgerDelayedEvent,
  type PublishedLedger,
  type PublishLedgerOptions,
  publishLedger,
} from "./publish-ledger.ts";
