import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore } from "@tollgate/core/store";

/** A BalanceStore, as a script needs it. Nobody else uses it. */
export interface LedgerUnderTest {
  /** Two clients of the same data, as two processes have them; a store in memory is both. `reopen` makes others. */
  readonly clients: readonly [BalanceStore, BalanceStore];
  /** Lets time pass on the store's clock. */
  passTime(milliseconds: number): Awaitable<void>;
  /** Begins anew on the same data, as after a restart. */
  reopen(): Awaitable<void>;
}

/** Where ledgers come from: one after the other, each empty, so that the same database may serve. */
export interface LedgerSource {
  next(): Awaitable<LedgerUnderTest>;
}
