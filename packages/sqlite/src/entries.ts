import {
  type ChargeColumns,
  chargeColumnNames,
  type Entry,
  type EntryKind,
  type EntryPage,
  type EntryQuery,
  type HoldColumns,
  readReceipt,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The columns of a receipt. Those of the hold are absent if an older version has placed it, and the others on an expiry. */
export type ReceiptColumns = { readonly key_id: string } & Partial<HoldColumns> & Partial<ChargeColumns>;

const receiptColumns = [
  "request_id",
  "model",
  "dialect",
  "key_id",
  ...chargeColumnNames.text,
  ...chargeColumnNames.integer,
] as const;

/** The rows of tollgate_entry, the append-only ledger. */
export class Entries {
  readonly #add: Command;
  readonly #page: Query<Entry>;
  readonly #ofReference: Query<Entry>;
  readonly #posting: Query<Entry>;

  constructor(connection: Connection) {
    const columns = `sequence, account, kind, amount, reference, reason, at, ${receiptColumns.join(", ")}`;
    this.#add = connection.command(
      `INSERT INTO tollgate_entry (account, kind, amount, reference, reason, at, ${receiptColumns.join(", ")})
       VALUES (?, ?, ?, ?, ?, ?${", ?".repeat(receiptColumns.length)})`,
    );
    this.#page = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE account = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      toEntry,
    );
    this.#ofReference = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE reference = ? AND account = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      toEntry,
    );
    this.#posting = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE reference = ? AND kind IN ('credit', 'debit')`,
      toEntry,
    );
  }

  add(entry: Omit<Entry, "sequence" | "receipt"> & { readonly receipt?: ReceiptColumns }): void {
    const { account, kind, amount, reference, reason, at, receipt } = entry;
    const values = receiptColumns.map((name) => receipt?.[name]);
    this.#add.run(account, kind, amount, reference, reason, at, ...values);
  }

  page({ account, limit, after = 0n, reference }: EntryQuery): EntryPage {
    const found =
      reference === undefined
        ? this.#page.all(account, after, limit + 1)
        : this.#ofReference.all(reference, account, after, limit + 1);
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
  const receipt = readReceipt(row);
  return {
    sequence: row.integer("sequence"),
    account: row.text("account"),
    kind: row.oneOf("kind", kinds),
    amount: row.integer("amount"),
    reference: row.text("reference"),
    ...(reason === undefined ? {} : { reason }),
    ...(receipt === undefined ? {} : { receipt }),
    at: row.time("at"),
  };
}

const kinds: readonly EntryKind[] = ["credit", "debit", "charge", "expiry", "late"];
