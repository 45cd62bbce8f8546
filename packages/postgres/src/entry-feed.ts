import { readEntryRow, requireKnown, type TextRow } from "@tollgate/core/internal";
import { checkedWholeNumber, type Entry, type EntryFeed } from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import {
  feedStatement,
  newTransactionStatement,
  runningTransactionStatement,
  takenSequenceStatement,
} from "./statements/entries.ts";

/** The sequence numbers that one statement looks at, so that it reads few rows. */
const span = 10_000n;

/**
 * The entries of all accounts in the schema ("tollgate" by default), on tables that {@link migratePostgres} creates. Connect to the
 * primary: a standby cannot say which transactions run. The role needs SELECT on the sequence `entry_sequence_seq`.
 */
export function postgresEntryFeed(pool: PostgresPool, options: { readonly schema?: string } = {}): EntryFeed {
  requireKnown("postgresEntryFeed", options, { schema: true });
  return new EntryFeedInPostgres(new Database(pool, options.schema));
}

/**
 * Sequence numbers are taken before their transactions commit, so a greater one can become visible first. Therefore entries are read
 * only up to a number that had been taken when all transactions that could have taken it, or one below it, were running: those with
 * an older number than a transaction that begins afterwards. A writer has its number before it takes one of the sequence, because
 * it locks the account first. Once they have ended, nothing can appear below.
 */
class EntryFeedInPostgres implements EntryFeed {
  readonly #database: Database;
  /** All entries up to this sequence number are visible or never will be. */
  #settled = 0n;
  #next: { readonly sequence: bigint; readonly transaction: bigint } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async read({ after, limit }: Parameters<EntryFeed["read"]>[0]): Promise<readonly Entry[]> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    if (after >= this.#settled) await this.#settle();
    for (let from = after; from < this.#settled; from += span) {
      const to = from + span < this.#settled ? from + span : this.#settled;
      const rows = await this.#database.run(feedStatement, [String(from), String(to), wanted]);
      if (rows.length > 0) return rows.map((row) => readEntryRow(row, row.text("account_id")));
    }
    return [];
  }

  async #settle(): Promise<void> {
    const [next, running] = this.#next === undefined ? await this.#begin() : [this.#next, await this.#running()];
    this.#next = running >= next.transaction ? undefined : next;
    if (this.#next === undefined) this.#settled = next.sequence;
  }

  /** Two statements, because the transaction must begin after the sequence number was read. */
  async #begin() {
    const sequence = (await this.#database.runForOne(takenSequenceStatement, [])).integer("taken");
    if (sequence <= this.#settled) return [{ sequence: this.#settled, transaction: 0n }, 0n] as const;
    const row = await this.#database.runForOne(newTransactionStatement, []);
    return [{ sequence, transaction: row.integer("own") }, readRunning(row)] as const;
  }

  async #running(): Promise<bigint> {
    return readRunning(await this.#database.runForOne(runningTransactionStatement, []));
  }
}

const readRunning = (row: TextRow): bigint => row.integer("running");
