import type { Awaitable } from "../runtime/awaitable.ts";
import type { Json } from "../wire/json.ts";

/** A change to record. It never contains a secret. */
export interface AuditChange {
  /** Who made the change, as `authorize` named them. */
  readonly actor: string;
  /** What was done, such as "key.revoke". */
  readonly action: string;
  /** What it was done to, such as "key:key_1" or "account:acme". */
  readonly subject: string;
  /** The state before, as JSON. Absent for something new. */
  readonly before?: Json;
  /** The state afterwards, as JSON. Absent for something removed. */
  readonly after?: Json;
}

/** A recorded change. */
export interface AuditEntry extends AuditChange {
  /** Position in the log, ascending. The cursor of {@link AuditLog.list}. */
  readonly sequence: bigint;
  readonly at: Date;
}

/** One page of changes, newest first; `next` is absent on the last page. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next?: bigint;
}

/** Port: the append-only log of changes that operators made. A throw is an outage. */
export interface AuditLog {
  /** Appends a change. Durable when it resolves. */
  append(change: AuditChange): Awaitable<AuditEntry>;
  /** Returns changes before a sequence number, newest first. */
  list(query: {
    readonly limit: number;
    readonly before?: bigint;
    readonly actor?: string;
    readonly action?: string;
    readonly subject?: string;
  }): Awaitable<AuditPage>;
}
