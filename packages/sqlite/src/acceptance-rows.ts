import type { TermsAcceptance } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_terms_acceptance. */
export class AcceptanceRows {
  readonly #find: Query<TermsAcceptance>;
  readonly #add: Command;

  constructor(connection: Connection) {
    this.#find = connection.query(
      "SELECT account, version_id, accepted_at FROM tollgate_terms_acceptance WHERE account = ? AND version_id = ?",
      (row) => ({
        account: row.text("account"),
        versionId: row.text("version_id"),
        acceptedAt: row.time("accepted_at"),
      }),
    );
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
}
