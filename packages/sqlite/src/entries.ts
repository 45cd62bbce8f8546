import { nextOf, readEntryRow, writeLots } from "@tollgate/core/internal";
import {
  type ChargeColumns,
  chargeColumnNames,
  type Entry,
  type EntryKind,
  type EntryPage,
  type EntryQuery,
  type HoldColumns,
  holdColumnNames,
  type LotShare,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/**
 * The columns of a receipt. Those of the hold are absent if an older version has placed it, and the others on an expiry. A
 * refund has the key alone, for which it counts.
 */
export type ReceiptColumns = { readonly key_id: string | undefined } & Partial<HoldColumns> & Partial<ChargeColumns>;

/** An entry to add. */
export interface NewEntry {
  readonly account: string;
  readonly kind: EntryKind;
  /** Nano-units, not zero. */
  readonly amount: bigint;
  readonly reference: string;
  readonly reason?: string | undefined;
  readonly receipt?: ReceiptColumns | undefined;
  readonly lots?: readonly LotShare[];
  readonly at: Date;
}

const receiptColumns = [...holdColumnNames, "key_id", ...chargeColumnNames.text, ...chargeColumnNames.integer] as const;

/** The rows of tollgate_entry, the append-only ledger. */
export class Entries {
  readonly #add: Command;
  readonly #connection: Connection;
  /** The queries of pages by their text, of which the filters make a few. */
  readonly #pages = new Map<string, Query<Entry>>();
  readonly #posting: Query<Entry>;
  readonly #find: Query<Entry>;
  readonly #caused: Query<Entry>;
  readonly #after: Query<Entry>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#add = connection.command(
      `INSERT INTO tollgate_entry (account, kind, amount, reference, reason, at, lots, ${receiptColumns.join(", ")})
       VALUES (?, ?, ?, ?, ?, ?, ?${", ?".repeat(receiptColumns.length)})`,
    );
    this.#posting = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE reference = ? AND kind IN ('credit', 'debit')`,
      toEntry,
    );
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_entry WHERE account = ? AND sequence = ?`, toEntry);
    this.#caused = connection.query(`SELECT ${columns} FROM tollgate_entry WHERE reference = ? AND kind = ?`, toEntry);
    this.#after = connection.query(
      `SELECT ${columns} FROM tollgate_entry WHERE sequence > ? ORDER BY sequence LIMIT ?`,
      toEntry,
    );
  }

  add({ account, kind, amount, reference, reason, at, lots, receipt }: NewEntry): void {
    const values = receiptColumns.map((name) => receipt?.[name]);
    this.#add.run(account, kind, amount, reference, reason, at, lots && writeLots(lots), ...values);
  }

  page(query: EntryQuery): EntryPage {
    const { limit } = query;
    const conditions = conditionsOf(query);
    const order = query.newestFirst === true ? "DESC" : "ASC";
    const found = this.#pageQuery(
      `SELECT ${columns} FROM tollgate_entry WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY sequence ${order} LIMIT ?`,
    ).all(...conditions.flatMap(([, ...values]) => values), limit + 1);
    const entries = found.slice(0, limit);
    return { entries, ...nextOf(entries, found.length, ({ sequence }) => sequence) };
  }

  /** Returns the entries of all accounts after a sequence number, at most `limit`. */
  after(sequence: bigint, limit: number): readonly Entry[] {
    return this.#after.all(sequence, limit);
  }

  #pageQuery(sql: string): Query<Entry> {
    const query = this.#pages.get(sql) ?? this.#connection.query(sql, toEntry);
    this.#pages.set(sql, query);
    return query;
  }

  /** Finds the entry of a credit or debit by the id of the posting. */
  posting(id: string): Entry | undefined {
    return this.#posting.first(id);
  }

  find(account: string, sequence: bigint): Entry | undefined {
    return this.#find.first(account, sequence);
  }

  /** Finds the entry of a kind that a hold or another entry has caused. */
  causedBy(reference: string, kind: Exclude<EntryKind, "credit" | "lapse">): Entry | undefined {
    return this.#caused.first(reference, kind);
  }
}

const columns = `sequence, account, kind, amount, reference, reason, at, lots, ${receiptColumns.join(", ")}`;

/** A condition with its values. */
type Condition = readonly [sql: string, ...values: (string | bigint | Date)[]];

function conditionsOf(query: EntryQuery): Condition[] {
  const { account, after, reference, answerId, kind, from, to, newestFirst = false } = query;
  // The sign keeps SQLite from reading all entries of the account when it can find those of a reference.
  const conditions: Condition[] = [[reference === undefined ? "account = ?" : "+account = ?", account]];
  if (after !== undefined) conditions.push([`sequence ${newestFirst ? "<" : ">"} ?`, after]);
  if (reference !== undefined) conditions.push(["reference = ?", reference]);
  if (answerId !== undefined) conditions.push(["answer_id = ?", answerId]);
  // The index of all kinds but charges is used only for a query that excludes them in its text.
  if (kind !== undefined) conditions.push([kind === "charge" ? "kind = ?" : "kind = ? AND kind <> 'charge'", kind]);
  if (from !== undefined) conditions.push(["at >= ?", from], [firstAround, account, shifted(from, -clockToleranceMs)]);
  if (to !== undefined) conditions.push(["at < ?", to], [lastAround, account, shifted(to, clockToleranceMs)]);
  return conditions;
}

/**
 * Sequences rise with time, except where a clock was set back. These bound the sequences through the index of times, an hour
 * wider than the period, so that a page reads only entries of about the period.
 */
const firstAround =
  "sequence >= (SELECT sequence FROM tollgate_entry WHERE account = ? AND at >= ? ORDER BY at LIMIT 1)";
const lastAround =
  "sequence <= (SELECT sequence FROM tollgate_entry WHERE account = ? AND at < ? ORDER BY at DESC LIMIT 1)";
const clockToleranceMs = 3_600_000;
const shifted = (time: Date, byMs: number): Date => new Date(time.getTime() + byMs);

const toEntry = (row: Row): Entry => readEntryRow(row, row.text("account"));
