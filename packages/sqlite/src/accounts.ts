import { balanceOf, nextOf, readAccountRow } from "@tollgate/core/internal";
import { type Account, type AccountPage, type Balance, emptyBalance, type SpendLimit } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import { isIntegerOverflow } from "./sqlite-errors.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_account: the posted and held amounts of each account, in nano-units. */
export class Accounts {
  readonly #open: Command;
  readonly #balance: Query<Balance>;
  readonly #reserve: Query<Balance>;
  readonly #move: Query<Balance>;
  readonly #find: Query<Account>;
  readonly #page: Query<Account>;
  readonly #limit: Command;

  constructor(connection: Connection) {
    this.#open = connection.command("INSERT INTO tollgate_account (id) VALUES (?) ON CONFLICT (id) DO NOTHING");
    this.#balance = connection.query("SELECT posted, held FROM tollgate_account WHERE id = ?", toBalance);
    this.#reserve = connection.query(
      `UPDATE tollgate_account SET held = held + ?2 WHERE id = ?1 RETURNING posted, held`,
      toBalance,
    );
    this.#move = connection.query(
      `UPDATE tollgate_account SET posted = posted + ?2, held = held - ?3 WHERE id = ?1 RETURNING posted, held`,
      toBalance,
    );
    const columns = "id, posted, held, spend_limit, spend_window, spend_timezone";
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_account WHERE id = ?`, toAccount);
    this.#page = connection.query(
      `SELECT ${columns} FROM tollgate_account
        WHERE id > ?1 AND substr(id, 1, length(?2)) = ?2 ORDER BY id LIMIT ?3`,
      toAccount,
    );
    this.#limit = connection.command(
      `INSERT INTO tollgate_account (id, spend_limit, spend_window, spend_timezone) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (id) DO UPDATE SET spend_limit = ?2, spend_window = ?3, spend_timezone = ?4`,
    );
  }

  find(account: string): Account | undefined {
    return this.#find.first(account);
  }

  /** Returns accounts after an id whose ids begin with the prefix. SQLite compares text by bytes. */
  page(limit: number, after: string, prefix: string): AccountPage {
    const found = this.#page.all(after, prefix, limit + 1);
    const accounts = found.slice(0, limit);
    return { accounts, ...nextOf(accounts, found.length, ({ id }) => id) };
  }

  limitSpend(account: string, limit: SpendLimit | undefined): void {
    this.#limit.run(account, limit?.limit, limit?.window, limit?.timezone);
  }

  balance(account: string): Balance {
    return this.#balance.first(account) ?? emptyBalance;
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

  /** Adds to the posted amount and subtracts from the held one. Throws a RangeError when a sum exceeds 64 bits. */
  move(account: string, posted: bigint, released: bigint): Balance {
    try {
      return this.#move.first(account, posted, released) ?? emptyBalance;
    } catch (error) {
      if (!isIntegerOverflow(error)) throw error;
      throw new RangeError(
        `Posting ${posted} would take account ${account} beyond 2^63 - 1 nano-units, the largest balance that SQLite can store. Post a smaller amount.`,
        { cause: error },
      );
    }
  }
}

const toAccount = (row: Row): Account => readAccountRow(row, toBalance(row));

const toBalance = (row: Row): Balance => balanceOf({ posted: row.integer("posted"), held: row.integer("held") });
