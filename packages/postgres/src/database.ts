import { requireMethods, TextRow } from "@tollgate/core/internal";
import { describedError, isSerializationFailure, isTransient, isUniqueViolation } from "./database-error.ts";
import { namedText, runStatement, withoutName } from "./named-statements.ts";
import type { PostgresClient, PostgresPool, PostgresResult, PostgresStatement } from "./pool.ts";
import { type Statement, type Tables, tablesIn } from "./schema.ts";
import { isStorableText, requireStorable } from "./storable-values.ts";
import { inTransaction } from "./transaction.ts";

const maxTries = 8;
const retryForMs = 1_000;
const initialWaitMs = 4;
// Keeps a call within the time that a gateway allows its stores. The gateway calls again for the rest.
const maxSweeps = 10;

/** Runs a statement in a transaction. */
export type RunStatement = (statement: Statement, values: unknown[]) => Promise<readonly TextRow[]>;

/**
 * Runs the statements of the stores, each in its own transaction, on any connection of the pool. It retries after a
 * transient error, up to 8 times within a second of it, so every statement must be safe to run twice.
 */
export class Database {
  readonly tables: Tables;
  /** Identifies the schema of the tables. It does not identify the database, since a pool does not reveal that. */
  readonly location: string;
  readonly #pool: PostgresPool;
  readonly #named = new WeakMap<Statement, PostgresStatement>();

  constructor(pool: PostgresPool, schema: string | undefined, isShard = false) {
    requireMethods(
      "The PostgreSQL store",
      pool,
      ["query", "connect"],
      "Pass a Pool of pg: new Pool({ connectionString }).",
    );
    this.tables = tablesIn(schema, isShard);
    this.#pool = pool;
    this.location = `the PostgreSQL schema "${this.tables.schema}"`;
  }

  /** Runs a statement that always returns a row. */
  async runForOne(statement: Statement, values: unknown[]): Promise<TextRow> {
    const [row] = await this.run(statement, values);
    if (row === undefined)
      throw new TypeError(`${statement.name} returned no row. Check whether the schema was changed manually.`);
    return row;
  }

  /**
   * Runs a statement whose first values are the id and the account of a session or response. Returns no rows for names that
   * PostgreSQL cannot store, since nothing can have them.
   */
  async runFor(
    statement: Statement,
    { id, account }: { readonly id: string; readonly account: string },
    values: readonly unknown[] = [],
  ): Promise<readonly TextRow[]> {
    if (!isStorableText(id) || !isStorableText(account)) return [];
    return this.run(statement, [id, account, ...values]);
  }

  /** Runs a statement that inserts a row with a new id, unless there is one. A concurrent call may insert it first. */
  insert(statement: Statement, values: unknown[]): Promise<TextRow> {
    return this.runForOne(statement, values).catch((error: unknown) => {
      // A second statement sees the row.
      if (isUniqueViolation(error)) return this.runForOne(statement, values);
      throw error;
    });
  }

  /** Runs a statement that removes a batch of expired rows until it removes none, at most ten times. Returns how many it removed. */
  async removeExpired(statement: Statement, values: unknown[]): Promise<number> {
    let total = 0;
    for (let sweeps = 0; sweeps < maxSweeps; sweeps++) {
      const row = await this.runForOne(statement, values);
      const expired = Number(row.text("expired"));
      if (expired === 0) break;
      total += expired;
    }
    return total;
  }

  run(statement: Statement, values: unknown[]): Promise<readonly TextRow[]> {
    const named = this.#named.get(statement) ?? namedText(statement(this.tables));
    this.#named.set(statement, named);
    return this.#run({ ...named, values });
  }

  /** Runs a text that was built for this call. It has no name, since a connection keeps every text that has one. */
  runOnce(text: string, values: unknown[]): Promise<readonly TextRow[]> {
    return this.#run({ text, values });
  }

  /**
   * Runs statements in one transaction, which is rolled back unless the result is kept. An error would end the transaction, so its
   * statements have no names, which a pooler may refuse. Postings join it by its client.
   */
  transaction<Result>(
    work: (run: RunStatement, client: PostgresClient) => Promise<Result>,
    isKept?: (result: Result) => boolean,
  ): Promise<Result> {
    const begin = () =>
      inTransaction(
        this.#pool,
        (connection) =>
          work(async (statement, values) => {
            requireStorable(values);
            return toRows(await connection.query({ text: statement(this.tables), values }));
          }, connection),
        isKept,
      );
    return this.#retried(begin, begin);
  }

  async #run(statement: PostgresStatement): Promise<readonly TextRow[]> {
    requireStorable(statement.values ?? []);
    // Under a stricter default isolation, a statement that waited for a row fails. READ COMMITTED avoids that.
    const alone = () => inTransaction(this.#pool, (connection) => connection.query(withoutName(statement)));
    return toRows(await this.#retried(() => runStatement(this.#pool, statement), alone));
  }

  /** Runs a call, and repeats it after a transient error. If concurrent changes caused the error, it runs the other call. */
  async #retried<Result>(call: () => Promise<Result>, afterConflict: () => Promise<Result>): Promise<Result> {
    // Set by the first failure: the server takes a second to find a deadlock.
    let endsAt = Number.NaN;
    let send = call;
    for (let tries = 1; ; tries++) {
      try {
        return await send();
      } catch (error) {
        const wait = initialWaitMs * 2 ** tries * Math.random();
        if (tries === 1) endsAt = performance.now() + retryForMs;
        const canRetry = isTransient(error) && tries < maxTries && performance.now() + wait < endsAt;
        if (!canRetry) throw describedError(error, this.tables.schema);
        if (isSerializationFailure(error)) send = afterConflict;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}

const toRows = ({ rows }: PostgresResult): readonly TextRow[] => rows.map((columns) => new TextRow(columns));
