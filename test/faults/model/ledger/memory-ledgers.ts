import { memoryBalanceStore } from "@tollgate/core";
import type { LedgerSource } from "./ledger-under-test.ts";
import { passTime } from "./pass-time.ts";

/** Ledgers in memory; the clock of the process must be a fake one. A ledger ends with its process, so nothing can be reopened. */
export function memoryLedgers(): LedgerSource {
  return {
    next: () => {
      const store = memoryBalanceStore();
      return { clients: [store, store], passTime, reopen: () => undefined };
    },
  };
}
