import { requireKnown } from "@tollgate/core/internal";
import type { TermsAcceptance, TermsStore } from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { acceptanceStatement, acceptStatement } from "./statements/terms.ts";

/** A TermsStore in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default). */
export function postgresTermsStore(pool: PostgresPool, options: { readonly schema?: string } = {}): TermsStore {
  requireKnown("postgresTermsStore", options, { schema: true });
  return new TermsInPostgres(new Database(pool, options.schema));
}

/** The TermsStore on one database. */
export class TermsInPostgres implements TermsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async accept(account: string, versionId: string): Promise<TermsAcceptance> {
    const row = await this.#database.runForOne(acceptStatement, [account, versionId]);
    return { account, versionId, acceptedAt: row.date("accepted_at") };
  }

  async acceptance(account: string, versionIds: readonly string[]): Promise<TermsAcceptance | undefined> {
    const [row] = await this.#database.run(acceptanceStatement, [account, versionIds]);
    return row && { account, versionId: row.text("version_id"), acceptedAt: row.date("accepted_at") };
  }
}
