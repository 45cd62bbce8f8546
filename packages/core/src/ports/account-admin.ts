import type { Awaitable } from "../runtime/awaitable.ts";
import type { Balance } from "./balance-store.ts";
import type { NewSpendLimit, SpendLimit, SpendScope, SpendState } from "./spend-limit.ts";

/** An account that has a balance, a hold, an entry or a spend limit. */
export interface Account {
  readonly id: string;
  readonly balance: Balance;
  /** The limit of the account itself. Absent: the default of its plan applies. */
  readonly spendLimit?: SpendLimit;
}

/** One page of accounts in the order of their ids, compared by bytes; `next` is absent on the last page. */
export interface AccountPage {
  readonly accounts: readonly Account[];
  readonly next?: string;
}

/** An account or key, and the limit whose window is asked for. */
export interface SpendQuery {
  readonly scope: SpendScope;
  /** The id of the account or key. */
  readonly id: string;
  readonly limit: SpendLimit;
}

/** Port: lists accounts and sets their spend limits. A throw is an outage. */
export interface AccountAdmin {
  /** Returns accounts after an id. `prefix` selects those whose id begins with it. */
  listAccounts(query: {
    readonly limit: number;
    readonly after?: string;
    readonly prefix?: string;
  }): Awaitable<AccountPage>;
  /** Returns an account; undefined if it was never used. */
  findAccount(account: string): Awaitable<Account | undefined>;
  /**
   * Sets the limit of an account, also of a new one; undefined: the default of its plan applies again. Holds of the same
   * window that were placed before count only if a limit with the same window and time zone applied to them.
   */
  limitSpend(account: string, limit: NewSpendLimit | undefined): Awaitable<void>;
  /** Returns what was spent of each limit in its present window, in the order of the queries. */
  spendOf(queries: readonly SpendQuery[]): Awaitable<readonly SpendState[]>;
}
