import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore } from "@tollgate/core/store";

/** A BalanceStore for one script, which nothing else uses. */
export interface LedgerUnderTest {
  /**
   * Two clients of the same data, like those of two processes. For a store in memory they are the same. `reopen`
   * replaces them.
   */
  readonly clients: readonly [BalanceStore, BalanceStore];
  /** Advances the clock of the store. */
  passTime(milliseconds: number): Awaitable<void>;
  /** Reopens the same data, like a restarted process. */
  reopen(): Awaitable<void>;
}

/** Provides empty ledgers, one at a time, so that they can use the same database. */
export interface LedgerSource {
  next(): Awaitable<LedgerUnderTest>;
}
