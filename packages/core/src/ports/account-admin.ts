import type { Awaitable } from "../runtime/awaitable.ts";
import type { Account, BalanceStore } from "./balance-store.ts";
import type { NewSpendLimit } from "./spend-limit.ts";

/** One page of accounts in the order of their ids, compared by bytes; `next` is absent on the last page. */
export interface AccountPage {
  readonly accounts: readonly Account[];
  readonly next?: string;
}

/** Port: lists accounts, sets their spend limits, freezes and forgets them. A throw is an outage. */
export interface AccountAdmin extends Pick<BalanceStore, "findAccount" | "spendOf"> {
  /** Returns accounts after an id. `prefix` selects those whose id begins with it. */
  listAccounts(query: {
    readonly limit: number;
    readonly after?: string;
    readonly prefix?: string;
  }): Awaitable<AccountPage>;
  /**
   * Sets the limit of an account, also of a new one; undefined: the default of its plan applies again. Holds of the same
   * window that were placed before count only if a limit with the same window and time zone applied to them.
   */
  limitSpend(account: string, limit: NewSpendLimit | undefined): Awaitable<void>;
  /**
   * Freezes an account, also a new one: holds are refused with `frozen` until it is thawed, and running ones end as usual. A
   * frozen account keeps its first date, and gets the new reason.
   */
  freeze(account: string, reason: string): Awaitable<void>;
  /** Thaws an account. Idempotent. */
  thaw(account: string): Awaitable<void>;
  /**
   * Erases what the host wrote of the charges that it made itself: metadata is removed, and a description becomes "forgotten".
   * Amounts, times and the reasons of postings are kept. Returns how many charges it changed. Idempotent. A large number may
   * take several calls, of which the last returns 0.
   */
  forget(account: string): Awaitable<number>;
}
