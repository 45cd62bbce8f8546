import { readResponseRow } from "@tollgate/core/internal";
import type { NewResponse, ResponseRef, StoredResponse } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The bytes of a response: those of its items, and those of all it stores. */
export interface ResponseBytes {
  readonly itemBytes: number;
  readonly bytes: number;
}

/** A response in a conversation. */
interface Link {
  readonly sequence: bigint;
  /** The bytes of the items of this response and of the newer ones. */
  readonly bytes: number;
  readonly isFirst: boolean;
}

/** The responses of a conversation, oldest first, by their sequence; or why there are none. */
type Chain =
  | { readonly outcome: "found"; readonly sequences: readonly bigint[]; readonly bytes: number }
  | { readonly outcome: "unknown" | "too_long" };

/** The rows of tollgate_response. An expired response is not found. */
export class ResponseRows {
  readonly #accountOf: Query<string>;
  readonly #bytesOf: Query<number>;
  readonly #add: Query<bigint>;
  readonly #find: Query<StoredResponse>;
  readonly #page: Query<StoredResponse>;
  readonly #sequence: Query<bigint>;
  readonly #chain: Query<Link>;
  readonly #delete: Command;

  constructor(connection: Connection) {
    const live = "id = ?1 AND account = ?2 AND expires_at > ?3";
    const sequenceOf = (row: Row) => row.integer("sequence");
    this.#accountOf = connection.query("SELECT account FROM tollgate_response WHERE id = ?", (row) =>
      row.text("account"),
    );
    this.#bytesOf = connection.query("SELECT bytes FROM tollgate_response_account WHERE account = ?", (row) =>
      Number(row.integer("bytes")),
    );
    this.#add = connection.query(
      `INSERT INTO tollgate_response
          (id, account, previous_id, response, items, item_bytes, bytes, created_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 + ?9) RETURNING sequence`,
      sequenceOf,
    );
    this.#find = connection.query(
      `SELECT id, account, previous_id, response, created_at FROM tollgate_response WHERE ${live}`,
      toResponse,
    );
    this.#page = connection.query(
      `SELECT id, account, previous_id, response, created_at FROM tollgate_response
        WHERE account = ?1 AND id > ?2 AND expires_at > ?3 ORDER BY id LIMIT ?4`,
      toResponse,
    );
    this.#sequence = connection.query(`SELECT sequence FROM tollgate_response WHERE ${live}`, sequenceOf);
    // A response continues only older ones, so a chain of ids cannot be endless.
    this.#chain = connection.query(
      `WITH RECURSIVE chain (sequence, previous_id, bytes) AS (
          SELECT sequence, previous_id, item_bytes FROM tollgate_response WHERE ${live}
          UNION ALL
          SELECT older.sequence, older.previous_id, chain.bytes + older.item_bytes
            FROM chain JOIN tollgate_response AS older ON older.id = chain.previous_id
            WHERE older.account = ?2 AND older.expires_at > ?3 AND older.sequence < chain.sequence AND chain.bytes <= ?4
        )
        SELECT sequence, bytes, previous_id IS NULL AS is_first FROM chain ORDER BY sequence`,
      (row) => ({
        sequence: row.integer("sequence"),
        bytes: Number(row.integer("bytes")),
        isFirst: row.integer("is_first") === 1n,
      }),
    );
    this.#delete = connection.command(`DELETE FROM tollgate_response WHERE ${live}`);
  }

  /** Returns the account of a response, whether or not it has expired. */
  accountOf(id: string): string | undefined {
    return this.#accountOf.first(searchable(id));
  }

  /** Returns the bytes of all responses of an account. */
  bytesOf(account: string): number {
    return this.#bytesOf.first(searchable(account)) ?? 0;
  }

  /** Adds a response without its items, and returns its sequence. */
  add(response: NewResponse, { itemBytes, bytes }: ResponseBytes): bigint {
    const { id, account, previousId, input, output, ttlMs } = response;
    const items = input.length + output.length;
    const values = [id, account, previousId, response.response, items, itemBytes, bytes, Date.now(), ttlMs];
    const sequence = this.#add.first(...values);
    if (sequence === undefined) throw new Error("SQLite returned no sequence for a row that it has inserted.");
    return sequence;
  }

  find(ref: ResponseRef): StoredResponse | undefined {
    return this.#find.first(...keyOf(ref));
  }

  /** Returns responses of an account after an id, in the order of their ids. */
  page(account: string, after: string, limit: number): readonly StoredResponse[] {
    return this.#page.all(searchable(account), searchable(after), Date.now(), limit);
  }

  sequenceOf(ref: ResponseRef): bigint | undefined {
    return this.#sequence.first(...keyOf(ref));
  }

  chain(ref: ResponseRef, maxBytes: number): Chain {
    const links = this.#chain.all(...keyOf(ref), Math.min(maxBytes, Number.MAX_SAFE_INTEGER));
    const [oldest] = links;
    if (oldest !== undefined && oldest.bytes > maxBytes) return { outcome: "too_long" };
    if (oldest === undefined || !oldest.isFirst) return { outcome: "unknown" };
    return { outcome: "found", sequences: links.map(({ sequence }) => sequence), bytes: oldest.bytes };
  }

  /** Deletes a response with its items. */
  delete(ref: ResponseRef): boolean {
    return this.#delete.run(...keyOf(ref)) > 0;
  }
}

/** The first three parameters of the statements. An id comes from a URL and can be any text. */
const keyOf = ({ id, account }: ResponseRef) => [searchable(id), searchable(account), Date.now()] as const;

const toResponse = (row: Row): StoredResponse => readResponseRow(row, row.text("account"));
