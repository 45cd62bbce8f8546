import { type AccountNotice, expiryNoticeMs, outboxLagMs, outboxReadMs } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { isExpiring } from "./notice-tables.ts";
import type { Command, Query } from "./statement.ts";

/** The notice of a lot that expires soon. */
export type ExpiryNotice = Extract<AccountNotice, { readonly type: "balance.expiring" }>;

/** The lot of a notice. */
interface ExpiringLot {
  readonly account: string;
  readonly id: string;
  readonly about: ExpiryNotice;
}

/** Whether somebody reads the notices, and of which lots the expiry is to be noticed. */
export class Outbox {
  readonly #isRead: Query<true>;
  readonly #setRead: Command;
  readonly #expiring: Query<ExpiringLot>;
  readonly #setNoticed: Command;

  constructor(connection: Connection) {
    this.#isRead = connection.query("SELECT 1 FROM tollgate_outbox WHERE claimed_at > ?", () => true);
    this.#setRead = connection.command("UPDATE tollgate_outbox SET claimed_at = ?1 WHERE claimed_at < ?2");
    this.#expiring = connection.query(
      `SELECT account, id, rest, expires_at FROM tollgate_lot INDEXED BY tollgate_lot_expiry
        WHERE ${isExpiring} AND expires_at > ? AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
      (row) => ({
        account: row.text("account"),
        id: row.text("id"),
        about: { type: "balance.expiring", amount: row.integer("rest"), expiresAt: row.time("expires_at") },
      }),
    );
    this.#setNoticed = connection.command("UPDATE tollgate_lot SET noticed = 1 WHERE account = ? AND id = ?");
  }

  /** True if notices were claimed in the last days. */
  isRead(): boolean {
    return this.#isRead.first(Date.now() - outboxReadMs) ?? false;
  }

  /** Remembers that notices were claimed now. Most calls write nothing, so that an idle claim costs no flush to disk. */
  wasRead(): void {
    const now = Date.now();
    this.#setRead.run(now, now - outboxLagMs);
  }

  /** Takes the notices of up to `limit` lots that expire soon, each once. */
  takeExpiring(limit: number): readonly (readonly [account: string, about: ExpiryNotice])[] {
    const now = Date.now();
    return this.#expiring.all(now, now + expiryNoticeMs, limit).map(({ account, id, about }) => {
      this.#setNoticed.run(account, id);
      return [account, about];
    });
  }
}
