import type { BalanceStore, UsageStore } from "@tollgate/core/store";

/** The account that most requests of the year are of, and one of its keys. */
export const account = "account-7";
/** One of the five keys of the account. */
export const key = "key-35";

/** The stores of a database with a year of requests, nine tenths of which are those of the account. */
export interface AccountYear {
  readonly usage: UsageStore;
  readonly balances: BalanceStore;
  /** Requests of the account. */
  readonly requests: number;
  /** The ids of a request of the account in the middle of the year. */
  readonly answerId: string;
  readonly requestId: string;
  /** The id of an answer that only the ledger has. */
  readonly chargedAnswerId: string;
  /** Returns the CPU time in milliseconds that the database has used outside of this process. */
  databaseCpu(): number;
  close(): void | Promise<void>;
}

/** The ids of the request in the middle of `rows` requests. */
export const idsOfMiddle = (rows: number): Pick<AccountYear, "answerId" | "requestId" | "chargedAnswerId"> => {
  const middle = 10 * Math.floor(rows / 20) + 1;
  return { answerId: `chatcmpl-${middle}`, requestId: `req_${middle}`, chargedAnswerId: `charged-${middle}` };
};
