import { memoryBalanceStore } from "@tollgate/core";
import type { LedgerSource } from "./ledger-under-test.ts";
import { passTime } from "./pass-time.ts";

/**
 * Provides ledgers in memory. The process needs a fake clock. `reopen` does nothing, since the data is lost with the
 * process.
 */
export function memoryLedgers(): LedgerSource {
  return {
    next: () => {
      const store = memoryBalanceStore();
      return { clients: [store, store], passTime, reopen: () => undefined };
    },
  };
}
