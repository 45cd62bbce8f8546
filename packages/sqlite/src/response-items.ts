import {
  firstFitting,
  type ItemLimits,
  type ResponseInput,
  type ResponseInputPage,
  type ResponseItem,
  type ResponseItems,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import { type Row, type Sized, toSized } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The position and size of an item. */
interface ItemPosition extends Sized {
  readonly sequence: bigint;
}

/** A page of positions and the items at them, in one order. */
interface Listing {
  readonly sizes: Query<Sized>;
  readonly page: Query<ResponseItem>;
}

/** The rows of tollgate_response_item. */
export class ResponseItemRows {
  readonly #add: Command;
  readonly #ofResponse: Query<ResponseItem>;
  readonly #position: Query<bigint>;
  readonly #listings: Readonly<Record<"asc" | "desc", Listing>>;
  readonly #newest: Query<ItemPosition>;
  readonly #at: Query<ResponseItem>;

  constructor(connection: Connection) {
    this.#add = connection.command(
      "INSERT INTO tollgate_response_item (response, account, kind, id, item, bytes) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#ofResponse = connection.query(
      "SELECT id, item FROM tollgate_response_item WHERE response = ? ORDER BY sequence",
      toItem,
    );
    this.#position = connection.query(
      "SELECT sequence FROM tollgate_response_item WHERE response = ? AND kind = 'input' AND id = ?",
      (row) => row.integer("sequence"),
    );
    this.#listings = { asc: listing(connection, ">", "ASC"), desc: listing(connection, "<", "DESC") };
    // Sizes first: an id can be in many responses, and the items can be long.
    this.#newest = connection.query(
      `SELECT max(item.sequence) AS sequence, item.bytes
        FROM json_each(?2) AS wanted
        JOIN tollgate_response_item AS item ON item.account = ?1 AND item.id = wanted.value
        JOIN tollgate_response AS response ON response.sequence = item.response AND response.expires_at > ?3
        GROUP BY item.id`,
      (row) => ({ ...toSized(row), sequence: row.integer("sequence") }),
    );
    this.#at = connection.query("SELECT id, item FROM tollgate_response_item WHERE sequence = ?", toItem);
  }

  add(response: bigint, account: string, kind: "input" | "output", { id, json }: ResponseItem): void {
    this.#add.run(response, account, kind, id, json, Buffer.byteLength(json));
  }

  /** Returns the items of a response, first those of the input. */
  ofResponse(response: bigint): ResponseItem[] {
    return this.#ofResponse.all(response);
  }

  /** Returns a page of the input of a response, or undefined if `after` is not in it. */
  page(response: bigint, { limit, maxBytes, order, after }: ResponseInputPage): ResponseInput | undefined {
    const start = order === "asc" ? 0n : BigInt(Number.MAX_SAFE_INTEGER);
    const from = after === undefined ? start : this.#position.first(response, searchable(after));
    if (from === undefined) return undefined;
    const { sizes, page } = this.#listings[order];
    const found = sizes.all(response, from, limit + 1);
    const fitting = firstFitting(found, maxBytes === undefined ? { limit } : { limit, maxBytes });
    return { items: page.all(response, from, fitting.length), hasMore: found.length > fitting.length };
  }

  /** Returns the newest item of an account for each id. */
  newest(account: string, ids: readonly string[], { maxBytes, loadBytes = maxBytes }: ItemLimits): ResponseItems {
    const wanted = [...new Set(ids)].filter((id) => searchable(id) !== undefined);
    const positions = this.#newest.all(searchable(account), JSON.stringify(wanted), Date.now());
    const size = positions.reduce((sum, { bytes }) => sum + bytes, 0);
    if (size > maxBytes) return { outcome: "too_long" };
    if (size > loadBytes) return { outcome: "larger", bytes: size };
    return { outcome: "found", items: positions.flatMap(({ sequence }) => this.#at.all(sequence)) };
  }
}

function listing(connection: Connection, comparison: "<" | ">", direction: "ASC" | "DESC"): Listing {
  const rows = `FROM tollgate_response_item WHERE response = ? AND kind = 'input' AND sequence ${comparison} ?
    ORDER BY sequence ${direction} LIMIT ?`;
  return {
    sizes: connection.query(`SELECT bytes ${rows}`, toSized),
    page: connection.query(`SELECT id, item ${rows}`, toItem),
  };
}

const toItem = (row: Row): ResponseItem => ({ id: row.text("id"), json: row.text("item") });
