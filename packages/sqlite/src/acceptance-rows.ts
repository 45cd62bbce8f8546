import type { TermsAcceptance, TermsAdmin } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { columnIs, FilteredQuery } from "./filtered-query.ts";
import type { Row } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_terms_acceptance. */
export class AcceptanceRows {
  readonly #find: Query<TermsAcceptance>;
  readonly #page: FilteredQuery<TermsAcceptance>;
  readonly #add: Command;

  constructor(connection: Connection) {
    const select = "SELECT account, version_id, accepted_at FROM tollgate_terms_acceptance";
    this.#find = connection.query(`${select} WHERE account = ? AND version_id = ?`, toAcceptance);
    this.#page = new FilteredQuery(connection, select, "ORDER BY account, version_id", toAcceptance);
    this.#add = connection.command(
      "INSERT INTO tollgate_terms_acceptance (account, version_id, accepted_at) VALUES (?, ?, ?)",
    );
  }

  /** Finds the first of the versions that the account has accepted. */
  firstAccepted(account: string, versionIds: readonly string[]): TermsAcceptance | undefined {
    for (const versionId of versionIds) {
      const found = this.#find.first(account, versionId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the existing acceptance, or adds one. */
  accept(account: string, versionId: string): TermsAcceptance {
    const existing = this.#find.first(account, versionId);
    if (existing !== undefined) return existing;
    const acceptedAt = new Date();
    this.#add.run(account, versionId, acceptedAt);
    return { account, versionId, acceptedAt };
  }

  /** Returns acceptances in the order of their account and version. SQLite compares texts by their bytes. */
  page({ account, versionId, after, limit }: Parameters<TermsAdmin["listAcceptances"]>[0]): TermsAcceptance[] {
    const conditions = [
      columnIs("account", account),
      columnIs("version_id", versionId),
      after && { sql: "(account, version_id) > (?, ?)", values: [after.account, after.versionId] },
    ];
    return this.#page.all(conditions, limit);
  }
}

const toAcceptance = (row: Row): TermsAcceptance => ({
  account: row.text("account"),
  versionId: row.text("version_id"),
  acceptedAt: row.time("accepted_at"),
});
