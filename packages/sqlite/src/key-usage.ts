import { readTotal } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import type { Query } from "./statement.ts";

/** The rows of tollgate_key_usage, which the entries of charges change. */
export class KeyUsage {
  readonly #used: Query<bigint>;

  constructor(connection: Connection) {
    this.#used = connection.query("SELECT used_units, used_nanos FROM tollgate_key_usage WHERE key_id = ?", (row) =>
      readTotal(row, "used"),
    );
  }

  /** Returns what was charged for a key, in nano-units. */
  of(keyId: string): bigint {
    return this.#used.first(keyId) ?? 0n;
  }
}
