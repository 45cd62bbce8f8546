import { requireMethods, TextRow } from "@tollgate/core/internal";
import { describedError, isUniqueViolation } from "./database-error.ts";
import type { PostgresClient } from "./pool.ts";
import type { Inserter } from "./postings.ts";
import type { Statement, Tables } from "./schema.ts";
import { requireStorable } from "./storable-values.ts";

/**
 * Runs statements in a transaction that the host has begun on its client. A statement that fails is rolled back alone, so that
 * the host decides what becomes of its transaction. Nothing is repeated for the host after an error of the connection.
 */
export class HostTransaction implements Inserter {
  readonly #client: PostgresClient;
  readonly #tables: Tables;

  constructor(client: PostgresClient, tables: Tables) {
    requireMethods(
      "`inTransaction`",
      client,
      ["query"],
      "Pass the client of pg on which you have begun a transaction.",
    );
    this.#client = client;
    this.#tables = tables;
  }

  async insert(statement: Statement, values: unknown[]): Promise<TextRow> {
    requireStorable(values);
    try {
      return await this.#run(statement, values).catch((error: unknown) => {
        // A second statement sees the row.
        if (isUniqueViolation(error)) return this.#run(statement, values);
        throw error;
      });
    } catch (error) {
      throw describedError(error, this.#tables.schema);
    }
  }

  async #run(statement: Statement, values: unknown[]): Promise<TextRow> {
    // Fails outside of a transaction, where the posting would not be part of one. Without a name, which a pooler may refuse.
    await this.#client.query({ text: "SAVEPOINT tollgate_posting" });
    try {
      const { rows } = await this.#client.query({ text: statement(this.#tables), values });
      await this.#client.query({ text: "RELEASE SAVEPOINT tollgate_posting" });
      return new TextRow(rows[0]);
    } catch (error) {
      await this.#client.query({ text: "ROLLBACK TO SAVEPOINT tollgate_posting" }).catch(() => undefined);
      throw error;
    }
  }
}
