import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import type { LedgerSource, LedgerUnderTest } from "./ledger-under-test.ts";
import { passTime } from "./pass-time.ts";

/**
 * Provides ledgers in files, each with two connections. The process needs a fake clock. `close` removes the last one.
 */
export function sqliteLedgers(): LedgerSource & { close(): void } {
  let last: SqliteLedger | undefined;
  return {
    next: () => {
      last?.remove();
      last = new SqliteLedger();
      return last;
    },
    close: () => last?.remove(),
  };
}

/**
 * Returns a folder in memory if there is one: these tests do not crash the machine, so commits need not wait for a
 * disk.
 */
function fastestFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

class SqliteLedger implements LedgerUnderTest {
  readonly #folder = mkdtempSync(join(fastestFolder(), "tollgate-model-"));
  readonly passTime = passTime;
  #databases: readonly { close(): void }[] = [];
  clients = this.#open();

  reopen(): void {
    this.#close();
    this.clients = this.#open();
  }

  remove(): void {
    this.#close();
    rmSync(this.#folder, { recursive: true });
  }

  #open(): LedgerUnderTest["clients"] {
    const file = join(this.#folder, "ledger.db");
    const [one, other] = [new DatabaseSync(file), new DatabaseSync(file)];
    this.#databases = [one, other];
    return [sqliteBalanceStore(one), sqliteBalanceStore(other)];
  }

  #close(): void {
    for (const database of this.#databases) database.close();
  }
}
