import { postgresBalanceStore } from "@tollgate/postgres";
import type { Pool } from "pg";
import type { TestDatabase } from "../../../../packages/postgres/test-support/with-postgres.ts";
import type { LedgerSource, LedgerUnderTest } from "./ledger-under-test.ts";

/** Provides ledgers in one schema of PostgreSQL, which is emptied for each. Each client has its own pool. */
export function postgresLedgers({ pool, schema }: TestDatabase): LedgerSource {
  // These tests do not crash the server, so commits need not wait for the disk.
  const config = { max: 5, options: "-c synchronous_commit=off" };
  const pools = [pool(config), pool(config)] as const;
  let made = 0;
  return {
    next: async () => {
      await pools[0].query(made % 20 === 0 ? truncate(schema) : empty(schema));
      made += 1;
      return new PostgresLedger(pools, schema);
    },
  };
}

const tables = ["account", "hold", "entry", "lot", "key_usage"];

/** Faster than a truncation, but leaves dead rows behind. */
function empty(schema: string): string {
  return tables.map((table) => `DELETE FROM "${schema}".${table}`).join(";");
}

function truncate(schema: string): string {
  return `TRUNCATE ${tables.map((table) => `"${schema}".${table}`).join(", ")}`;
}

class PostgresLedger implements LedgerUnderTest {
  readonly #pools: readonly [Pool, Pool];
  readonly #schema: string;
  clients: LedgerUnderTest["clients"];

  constructor(pools: readonly [Pool, Pool], schema: string) {
    this.#pools = pools;
    this.#schema = schema;
    this.clients = this.#open();
  }

  /** Moves the ends of the leases instead of the server's clock, which has the same effect. */
  async passTime(milliseconds: number): Promise<void> {
    await this.#pools[0].query(
      `UPDATE "${this.#schema}".hold SET expires_at = expires_at - $1 * interval '1 millisecond' WHERE state = 'pending'`,
      [milliseconds],
    );
  }

  reopen(): void {
    this.clients = this.#open();
  }

  #open(): LedgerUnderTest["clients"] {
    const [one, other] = this.#pools;
    const options = { schema: this.#schema };
    return [postgresBalanceStore(one, options), postgresBalanceStore(other, options)];
  }
}
