import { nextOf, requireKnown, type TextRow } from "@tollgate/core/internal";
import {
  type AcceptancePage,
  checkedAcceptanceQuery,
  checkedAccount,
  checkedId,
  type TermsAcceptance,
  type TermsAdmin,
  type TermsStore,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { acceptanceStatement, acceptStatement, listAcceptancesStatement } from "./statements/terms.ts";
import { isStorableText } from "./storable-values.ts";

/** A TermsStore and TermsAdmin in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default). */
export function postgresTermsStore(
  pool: PostgresPool,
  options: { readonly schema?: string } = {},
): TermsStore & TermsAdmin {
  requireKnown("postgresTermsStore", options, { schema: true });
  return new TermsInPostgres(new Database(pool, options.schema));
}

/** The TermsStore and TermsAdmin on one database. */
export class TermsInPostgres implements TermsStore, TermsAdmin {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async accept(account: string, versionId: string): Promise<TermsAcceptance> {
    const values = [checkedAccount(account), checkedId("versionId", versionId)];
    const row = await this.#database.runForOne(acceptStatement, values);
    return { account, versionId, acceptedAt: row.time("accepted_at") };
  }

  async acceptance(account: string, versionIds: readonly string[]): Promise<TermsAcceptance | undefined> {
    const [row] = await this.#database.run(acceptanceStatement, [account, versionIds]);
    return row && { account, versionId: row.text("version_id"), acceptedAt: row.time("accepted_at") };
  }

  async listAcceptances(query: Parameters<TermsAdmin["listAcceptances"]>[0]): Promise<AcceptancePage> {
    const { account, versionId, after, limit } = checkedAcceptanceQuery(query);
    const names = [account, versionId, after?.account, after?.versionId];
    // No acceptance has a name that PostgreSQL cannot store.
    if (!names.every((name = "") => isStorableText(name))) return { acceptances: [] };
    const rows = await this.#database.run(listAcceptancesStatement, [...names, limit + 1]);
    const acceptances = rows.slice(0, limit).map(toAcceptance);
    return { acceptances, ...nextOf(acceptances, rows.length, ({ account, versionId }) => ({ account, versionId })) };
  }
}

const toAcceptance = (row: TextRow): TermsAcceptance => ({
  account: row.text("account_id"),
  versionId: row.text("version_id"),
  acceptedAt: row.time("accepted_at"),
});
