import { checkedWholeNumber } from "../options/problems.ts";
import { requireKnown } from "../options/require-known.ts";
import type { AuditChange, AuditEntry, AuditLog, AuditPage } from "../ports/audit-log.ts";
import { readAuditEntry, type StoredAuditEntry } from "../ports/stored-json.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import { nextOf } from "./pages.ts";

/** The options of {@link memoryAuditLog}. */
export interface MemoryAuditLogOptions {
  /** The number of entries to keep, the newest ones. Default: 10,000. */
  readonly keep?: number;
}

/** Returns an AuditLog in the memory of this process, for development and tests. Entries are lost at exit. */
export function memoryAuditLog(options: MemoryAuditLogOptions = {}): AuditLog {
  requireKnown("memoryAuditLog", options, { keep: true });
  return new MemoryAuditLog(checkedWholeNumber("keep", options.keep ?? 10_000, 1));
}

class MemoryAuditLog implements AuditLog {
  readonly #keep: number;
  readonly #entries: StoredAuditEntry[] = [];
  #last = 0n;

  constructor(keep: number) {
    this.#keep = keep;
  }

  append({ actor, action, subject, before, after }: AuditChange): AuditEntry {
    this.#last += 1n;
    const entry: StoredAuditEntry = {
      sequence: this.#last,
      at: new Date(),
      actor,
      action,
      subject,
      before: before === undefined ? undefined : writeLosslessJson(before),
      after: after === undefined ? undefined : writeLosslessJson(after),
    };
    this.#entries.push(entry);
    if (this.#entries.length > this.#keep) this.#entries.shift();
    return readAuditEntry(entry);
  }

  list({ limit, before, actor, action, subject }: Parameters<AuditLog["list"]>[0]): AuditPage {
    checkedWholeNumber("limit", limit, 1);
    const rest = this.#entries
      .filter(({ sequence }) => before === undefined || sequence < before)
      .filter((entry) => actor === undefined || entry.actor === actor)
      .filter((entry) => action === undefined || entry.action === action)
      .filter((entry) => subject === undefined || entry.subject === subject)
      .reverse();
    const entries = rest.slice(0, limit).map(readAuditEntry);
    return { entries, ...nextOf(entries, rest.length, ({ sequence }) => sequence) };
  }
}
