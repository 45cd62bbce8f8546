import { requireMethods } from "@tollgate/core/internal";
import { explained, isPassing, isSerializationFailure } from "./database-error.ts";
import type { PostgresPool } from "./pool.ts";
import { Row } from "./row.ts";
import { type Statement, type Tables, tablesIn } from "./schema.ts";
import { storableText } from "./text.ts";
import { inTransaction } from "./transaction.ts";

const mostTries = 8;
const retryForMs = 1_000;
const firstWaitMs = 4;

/**
 * Runs the statements of the stores, each a transaction of its own, on whatever connection the pool gives. What passes
 * by itself is tried again, up to 8 times within a second, so every statement must be safe to run twice.
 */
export class Database {
  readonly tables: Tables;
  /** Where the tables are, to tell it from others. Two pools of one database cannot be told from pools of two. */
  readonly place: string;
  readonly #pool: PostgresPool;
  readonly #texts = new WeakMap<Statement, string>();

  constructor(pool: PostgresPool, schema: string | undefined) {
    requireMethods(
      "The PostgreSQL store",
      pool,
      ["query", "connect"],
      "Pass a Pool of pg: new Pool({ connectionString }).",
    );
    this.tables = tablesIn(schema);
    this.#pool = pool;
    this.place = `the PostgreSQL schema "${this.tables.schema}"`;
  }

  /** For a statement that always has a row. */
  async runForOne(statement: Statement, values: unknown[]): Promise<Row> {
    const [row] = await this.run(statement, values);
    if (row === undefined) throw new TypeError(`${statement.name} gave no row. Was the schema changed by hand?`);
    return row;
  }

  async run(statement: Statement, values: unknown[]): Promise<readonly Row[]> {
    for (const value of values.flat()) if (typeof value === "string") storableText(value);
    // It gets no name: a pooler may give it to a connection where nothing was prepared.
    const query = { text: this.#textOf(statement), values };
    const since = Date.now();
    let ask = () => this.#pool.query(query);
    for (let tries = 1; ; tries++) {
      try {
        const { rows } = await ask();
        return rows.map((columns) => new Row(columns));
      } catch (error) {
        const wait = firstWaitMs * 2 ** tries * Math.random();
        const goesOn = isPassing(error) && tries < mostTries && Date.now() + wait < since + retryForMs;
        if (!goesOn) throw explained(error, this.tables.schema);
        // Where the host isolates transactions more strictly, whoever waited for a row fails. This way nobody does.
        if (isSerializationFailure(error)) ask = () => inTransaction(this.#pool, (each) => each.query(query));
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  #textOf(statement: Statement): string {
    const text = this.#texts.get(statement) ?? statement(this.tables);
    this.#texts.set(statement, text);
    return text;
  }
}
