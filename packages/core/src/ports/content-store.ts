import type { Awaitable } from "../runtime/awaitable.ts";
import type { Json } from "../wire/json.ts";

/** The content of one request, as it was redacted. */
export interface RequestContentRecord {
  /** The UUID of the request: the `id` of its usage row. */
  readonly id: string;
  readonly at: Date;
  readonly account: string;
  readonly keyId: string;
  readonly model: string;
  /** The body of the request. Absent when it was larger than what is kept. */
  readonly request?: Json;
  /** The completion, also of a stream. Absent when there was none, or when it was larger than what is kept. */
  readonly response?: Json;
}

/** One page of records. It may have fewer than its limit, even none; `next` is absent on the last page. */
export interface ContentPage {
  readonly records: readonly RequestContentRecord[];
  /** An opaque text. */
  readonly next?: string;
}

/** Port: what requests and answers contained, for models and keys that ask for it. A throw is an outage. */
export interface ContentStore {
  /** Adds records. One whose id exists is kept as it is. Durable when it resolves. */
  record(records: readonly RequestContentRecord[]): Awaitable<void>;
  /** Returns a record; undefined if there is none. */
  find(id: string): Awaitable<RequestContentRecord | undefined>;
  /**
   * Returns records of an account in a stable order, at most `limit`; `after` is the `next` of the page before. It reads a limited
   * number of records, also of other accounts.
   */
  list(query: { readonly account: string; readonly limit: number; readonly after?: string }): Awaitable<ContentPage>;
  /** Removes records and returns how many. Unknown ones are skipped. */
  remove(records: readonly Pick<RequestContentRecord, "id" | "at">[]): Awaitable<number>;
  /** Removes records that are older than a date and returns how many. */
  prune(before: Date): Awaitable<number>;
}
