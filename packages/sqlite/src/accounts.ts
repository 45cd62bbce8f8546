import type { Balance } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import { isIntegerOverflow } from "./sqlite-errors.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_account: what each has posted and held, in nano-units. */
export class Accounts {
  readonly #open: Command;
  readonly #balance: Query<Balance>;
  readonly #reserve: Query<Balance>;
  readonly #move: Query<Balance>;

  constructor(connection: Connection) {
    this.#open = connection.command("INSERT INTO tollgate_account (id) VALUES (?) ON CONFLICT (id) DO NOTHING");
    this.#balance = connection.query("SELECT posted, held FROM tollgate_account WHERE id = ?", toBalance);
    this.#reserve = connection.query(
      `UPDATE tollgate_account SET held = held + ?2 WHERE id = ?1 AND posted - held >= ?2 RETURNING posted, held`,
      toBalance,
    );
    this.#move = connection.query(
      `UPDATE tollgate_account SET posted = posted + ?2, held = held - ?3 WHERE id = ?1 RETURNING posted, held`,
      toBalance,
    );
  }

  balance(account: string): Balance {
    return this.#balance.first(account) ?? nothing;
  }

  /** Makes sure that the account has a row; true when it had none. */
  open(account: string): boolean {
    return this.#open.run(account) > 0;
  }

  /** Holds the amount if so much is available; undefined when it is not. */
  reserve(account: string, amount: bigint): Balance | undefined {
    const reserved = this.#reserve.first(account, amount);
    if (reserved !== undefined || amount > 0n) return reserved;
    // An account that was never seen has zero, which is enough for a hold of nothing.
    return this.open(account) ? nothing : undefined;
  }

  /** Adds to what is posted, and takes off what is held; throws a RangeError when the sum passes 64 bits. */
  move(account: string, posted: bigint, freed: bigint): Balance {
    try {
      return this.#move.first(account, posted, freed) ?? nothing;
    } catch (error) {
      if (!isIntegerOverflow(error)) throw error;
      throw new RangeError(
        `A movement of ${posted} would take account ${account} beyond the 2^63 - 1 nano-units that SQLite can keep.`,
        { cause: error },
      );
    }
  }
}

const nothing: Balance = Object.freeze({ posted: 0n, held: 0n, available: 0n });

function toBalance(row: Row): Balance {
  const [posted, held] = [row.integer("posted"), row.integer("held")];
  return { posted, held, available: posted - held };
}
