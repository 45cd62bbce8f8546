import { balanceOf, readAccountRow } from "@tollgate/core/internal";
import { type Account, type AccountBalance, type Balance, emptyBalance, type SpendLimit } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import { isIntegerOverflow } from "./sqlite-errors.ts";
import type { Command, Query } from "./statement.ts";

/** A row of tollgate_account. */
export interface AccountRow {
  readonly account: Account;
  /** When the next of its lots expires, in milliseconds since the Unix epoch. Undefined: none does. */
  readonly nextLapse: bigint | undefined;
  /** The window and time zone whose allowance was granted last, and the end of that window. */
  readonly allowance: { readonly window: string | undefined; readonly until: bigint | undefined };
}

/** A balance after a change, and the sum of the lots of the account in nano-units. */
export interface Moved {
  readonly balance: Balance;
  readonly inLots: bigint;
}

const columns =
  "id, posted, held, spend_limit, spend_window, spend_timezone, spend_models, frozen_at, frozen_reason, next_lapse, allowance_window, allowance_until";

/** The rows of tollgate_account: the posted and held amounts of each account, in nano-units. */
export class Accounts {
  readonly #open: Command;
  readonly #balance: Query<Balance>;
  readonly #totals: Query<AccountBalance["totals"]>;
  readonly #reserve: Query<Balance>;
  readonly #move: Query<Moved>;
  readonly #find: Query<AccountRow>;
  readonly #list: Query<AccountRow>;
  readonly #due: Query<string>;
  readonly #limit: Command;
  readonly #freeze: Command;
  readonly #thaw: Command;
  readonly #allow: Command;

  constructor(connection: Connection) {
    this.#open = connection.command("INSERT INTO tollgate_account (id) VALUES (?) ON CONFLICT (id) DO NOTHING");
    this.#balance = connection.query("SELECT posted, held FROM tollgate_account WHERE id = ?", toBalance);
    this.#totals = connection.query(
      "SELECT credited_units, credited_nanos, used_units, used_nanos FROM tollgate_account WHERE id = ?",
      (row) => ({ credited: readTotal(row, "credited"), used: readTotal(row, "used") }),
    );
    this.#reserve = connection.query(
      `UPDATE tollgate_account SET held = held + ?2 WHERE id = ?1 RETURNING posted, held`,
      toBalance,
    );
    this.#move = connection.query(
      `UPDATE tollgate_account SET posted = posted + ?2, held = held - ?3
        WHERE id = ?1 AND (next_lapse IS NULL OR next_lapse > ?4 OR posted <= held)
       RETURNING posted, held, in_lots`,
      (row) => ({ balance: toBalance(row), inLots: row.integer("in_lots") }),
    );
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_account WHERE id = ?`, toAccountRow);
    this.#list = connection.query(
      `SELECT ${columns} FROM tollgate_account
        WHERE id > ?1 AND substr(id, 1, length(?2)) = ?2 ORDER BY id LIMIT ?3`,
      toAccountRow,
    );
    this.#due = connection.query(
      "SELECT id FROM tollgate_account WHERE next_lapse <= ? AND posted > held ORDER BY next_lapse LIMIT ?",
      (row) => row.text("id"),
    );
    this.#limit = connection.command(
      `INSERT INTO tollgate_account (id, spend_limit, spend_window, spend_timezone, spend_models)
       VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE
       SET spend_limit = ?2, spend_window = ?3, spend_timezone = ?4, spend_models = ?5`,
    );
    this.#freeze = connection.command(
      `INSERT INTO tollgate_account (id, frozen_at, frozen_reason) VALUES (?1, ?2, ?3)
       ON CONFLICT (id) DO UPDATE SET frozen_at = coalesce(frozen_at, ?2), frozen_reason = ?3`,
    );
    this.#thaw = connection.command(
      "UPDATE tollgate_account SET frozen_at = NULL, frozen_reason = NULL WHERE id = ? AND frozen_at IS NOT NULL",
    );
    this.#allow = connection.command(
      "UPDATE tollgate_account SET allowance_window = ?2, allowance_until = ?3 WHERE id = ?1",
    );
  }

  find(account: string): AccountRow | undefined {
    return this.#find.first(account);
  }

  /** Returns accounts after an id whose ids begin with the prefix. SQLite compares text by bytes. */
  list(limit: number, after: string, prefix: string): AccountRow[] {
    return this.#list.all(after, prefix, limit);
  }

  /** Returns accounts of which a lot has expired, and holds do not need all of it. */
  due(now: number, limit: number): string[] {
    return this.#due.all(now, limit);
  }

  limitSpend(account: string, limit: SpendLimit | undefined): void {
    const models = limit?.models && JSON.stringify(limit.models);
    this.#limit.run(account, limit?.limit, limit?.window, limit?.timezone, models);
  }

  freeze(account: string, reason: string): void {
    this.#freeze.run(account, Date.now(), reason);
  }

  /** Returns false when the account is not frozen. */
  thaw(account: string): boolean {
    return this.#thaw.run(account) > 0;
  }

  /** Writes which allowance was granted last. */
  allow(account: string, window: string, until: number): void {
    this.#allow.run(account, window, until);
  }

  balance(account: string): Balance {
    return this.#balance.first(account) ?? emptyBalance;
  }

  totals(account: string): AccountBalance["totals"] {
    return this.#totals.first(account) ?? { credited: 0n, used: 0n };
  }

  /** Adds a row for the account unless it has one. */
  open(account: string): void {
    this.#open.run(account);
  }

  /** Holds an amount, which the caller has found to be available. */
  reserve(account: string, amount: bigint): Balance {
    const reserved = this.#reserve.first(account, amount);
    if (reserved !== undefined) return reserved;
    // An account without a row has a balance of zero, which covers a hold of zero.
    this.open(account);
    return emptyBalance;
  }

  /**
   * Adds to the posted amount and subtracts from the held one, and returns undefined without effect if a part of a lot is to
   * expire first at the time. Throws a RangeError when a sum exceeds 64 bits.
   */
  move(account: string, posted: bigint, released: bigint, now: number): Moved | undefined {
    try {
      return this.#move.first(account, posted, released, now);
    } catch (error) {
      if (!isIntegerOverflow(error)) throw error;
      throw new RangeError(
        `Posting ${posted} would take account ${account} beyond 2^63 - 1 nano-units, the largest balance that SQLite can store. Post a smaller amount.`,
        { cause: error },
      );
    }
  }
}

const toAccountRow = (row: Row): AccountRow => ({
  account: readAccountRow(row, toBalance(row)),
  nextLapse: row.optionalInteger("next_lapse"),
  allowance: { window: row.optionalText("allowance_window"), until: row.optionalInteger("allowance_until") },
});

const toBalance = (row: Row): Balance => balanceOf({ posted: row.integer("posted"), held: row.integer("held") });

/** Reads a total, whose two columns keep the sums of the units and of the rest of each amount. */
export const readTotal = (row: Row, name: string): bigint =>
  row.integer(`${name}_units`) * 1_000_000_000n + row.integer(`${name}_nanos`);
