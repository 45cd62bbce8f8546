import { nextOf, requireKnown, type TextRow } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import {
  type ContentPage,
  type ContentStore,
  checkedWholeNumber,
  parseLosslessJson,
  type RequestContentRecord,
  toStorableText,
} from "@tollgate/core/store";
import type { ClickHouseClient } from "./client.ts";
import { Database } from "./database.ts";
import { equalSql, literal, literals, millisecondsOf, timeSql, timeText } from "./sql.ts";
import type { ClickHouseStoreOptions } from "./usage-store.ts";

/**
 * A ContentStore in ClickHouse, on tables that {@link migrateClickHouse} creates. Of several records of an id, the one counts that
 * the server received first.
 */
export function clickhouseContentStore(client: ClickHouseClient, options: ClickHouseStoreOptions = {}): ContentStore {
  requireKnown("clickhouseContentStore", options, { database: true });
  return new ContentInClickHouse(new Database(client, options.database));
}

const columns = `id, ${millisecondsOf("at")} AS at_ms, account, key_id, model, request, response`;
const oldest = "precedence DESC LIMIT 1 BY id";

class ContentInClickHouse implements ContentStore {
  readonly #database: Database;
  readonly #content: string;

  constructor(database: Database) {
    this.#database = database;
    this.#content = database.content;
  }

  async record(records: readonly RequestContentRecord[]): Promise<void> {
    const first = new Map(records.toReversed().map((record) => [record.id, record]));
    if (first.size > 0) await this.#database.insert(this.#content, [...first.values()].map(toColumns));
  }

  async find(id: string): Promise<RequestContentRecord | undefined> {
    const [row] = await this.#database.rows(
      `SELECT ${columns} FROM ${this.#content} WHERE ${equalSql("id", id)} ORDER BY ${oldest}`,
    );
    return row && toRecord(row);
  }

  async list({ account, limit, after = "" }: Parameters<ContentStore["list"]>[0]): Promise<ContentPage> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM ${this.#content} WHERE ${equalSql("account", account)} AND id > ${literal(after)}
        ORDER BY id, ${oldest} LIMIT ${wanted + 1}`,
    );
    const records = rows.slice(0, wanted).map(toRecord);
    return { records, ...nextOf(records, rows.length, ({ id }) => id) };
  }

  async remove(records: readonly Pick<RequestContentRecord, "id" | "at">[]): Promise<number> {
    if (records.length === 0) return 0;
    return this.#delete(`id IN ${literals(records.map(({ id }) => id))}`);
  }

  async prune(before: Date): Promise<number> {
    return this.#delete(`at < ${timeSql(before)}`);
  }

  async #delete(condition: string): Promise<number> {
    const found = await this.#database.count(
      `SELECT uniqExact(id) AS counted FROM ${this.#content} WHERE ${condition}`,
    );
    if (found > 0) await this.#database.run(`DELETE FROM ${this.#content} WHERE ${condition}`);
    return found;
  }
}

function toColumns({ id, at, account, keyId, model, request, response }: RequestContentRecord): object {
  return {
    id: toStorableText(id),
    at: timeText(at),
    account: toStorableText(account),
    key_id: toStorableText(keyId),
    model: toStorableText(model),
    ...(request === undefined ? {} : { request: writeLosslessJson(request) }),
    ...(response === undefined ? {} : { response: writeLosslessJson(response) }),
  };
}

function toRecord(row: TextRow): RequestContentRecord {
  const [request, response] = [row.optionalText("request"), row.optionalText("response")];
  return {
    id: row.text("id"),
    at: row.time("at_ms"),
    account: row.text("account"),
    keyId: row.text("key_id"),
    model: row.text("model"),
    ...(request === undefined ? {} : { request: parseLosslessJson(request) }),
    ...(response === undefined ? {} : { response: parseLosslessJson(response) }),
  };
}
