import type { Entry, EntryKind, EntryPage } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_entry, the append-only ledger. */
export class Entries {
  readonly #add: Command;
  readonly #page: Query<Entry>;
  readonly #posting: Query<Entry>;

  constructor(connection: Connection) {
    const columns = "sequence, account, kind, amount, reference, reason, at";
    this.#add = connection.command(
      "INSERT INTO tollgate_entry (account, kind, amount, reference, reason, at) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#page = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE account = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      toEntry,
    );
    this.#posting = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE reference = ? AND kind IN ('credit', 'debit')`,
      toEntry,
    );
  }

  add(entry: Omit<Entry, "sequence">): void {
    this.#add.run(entry.account, entry.kind, entry.amount, entry.reference, entry.reason, entry.at);
  }

  page(account: string, limit: number, after: bigint): EntryPage {
    const found = this.#page.all(account, after, limit + 1);
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    return found.length > limit && last !== undefined ? { entries, next: last.sequence } : { entries };
  }

  /** Finds the entry of a credit or debit by the id of the posting. */
  posting(id: string): Entry | undefined {
    return this.#posting.first(id);
  }
}

function toEntry(row: Row): Entry {
  const reason = row.optionalText("reason");
  return {
    sequence: row.integer("sequence"),
    account: row.text("account"),
    kind: row.oneOf("kind", kinds),
    amount: row.integer("amount"),
    reference: row.text("reference"),
    ...(reason === undefined ? {} : { reason }),
    at: row.time("at"),
  };
}

const kinds: readonly EntryKind[] = ["credit", "debit", "charge", "expiry", "late"];
