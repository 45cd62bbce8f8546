import { requireMethods, TextRow } from "@tollgate/core/internal";
import type { ClickHouseClient, ClickHouseSettings } from "./client.ts";

const shape = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The tables of the stores in one database, on the client of the host. */
export class Database {
  readonly name: string;
  readonly usage: string;
  readonly content: string;
  readonly migration: string;
  readonly #client: ClickHouseClient;

  /** Throws a RangeError for a name that is not a plain identifier. */
  constructor(client: ClickHouseClient, name = "tollgate") {
    requireMethods(
      "The ClickHouse store",
      client,
      ["query", "command", "insert"],
      "Pass a client of @clickhouse/client: createClient({ url }).",
    );
    if (!shape.test(name))
      throw new RangeError(
        "The name of the database must have 1 to 64 letters, digits or underscores and must not begin with a digit. Example: tollgate.",
      );
    this.name = name;
    this.#client = client;
    this.usage = `${name}.usage`;
    this.content = `${name}.content`;
    this.migration = `${name}.migration`;
  }

  async rows(sql: string): Promise<readonly TextRow[]> {
    const result = await explained(this.#client.query({ query: sql, format: "JSONEachRow" }));
    const rows = await result.json();
    return Array.isArray(rows) ? rows.map((columns) => new TextRow(columns)) : [];
  }

  /** Runs a statement that returns one number, and returns it. */
  async count(sql: string): Promise<number> {
    const [row] = await this.rows(`SELECT toString(counted) AS counted FROM (${sql})`);
    return row === undefined ? 0 : Number(row.text("counted"));
  }

  /** Runs a statement without a result. Deletions and updates have taken effect on all replicas when it resolves. */
  async run(sql: string): Promise<void> {
    const clickhouse_settings = { mutations_sync: "2", lightweight_deletes_sync: "2", wait_end_of_query: 1 };
    await explained(this.#client.command({ query: sql, clickhouse_settings }));
  }

  /** Inserts rows as one block, which becomes visible at once, and is on disk when it resolves. */
  async insert(table: string, values: readonly object[], settings: ClickHouseSettings = {}): Promise<void> {
    const clickhouse_settings = { ...oneBlock, ...settings };
    await explained(this.#client.insert({ table, values, format: "JSONEachRow", clickhouse_settings }));
  }
}

const oneBlock: ClickHouseSettings = { async_insert: 0, input_format_parallel_parsing: 0, wait_end_of_query: 1 };

/** Adds to an error about tables that are missing what creates them. */
async function explained<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (cause) {
    const isMissing =
      cause instanceof Error && /UNKNOWN_(?:TABLE|DATABASE|IDENTIFIER)/.test(String(Reflect.get(cause, "type")));
    if (!isMissing) throw cause;
    throw new Error(
      "The tables of Tollgate do not exist in ClickHouse. Call migrateClickHouse before you use the stores.",
      {
        cause,
      },
    );
  }
}
