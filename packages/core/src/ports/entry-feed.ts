import type { Awaitable } from "../runtime/awaitable.ts";
import type { Entry } from "./ledger-entry.ts";

/**
 * Port: the entries of all accounts in one order, for a reader that keeps its own position, such as one that publishes them. A
 * throw is an outage.
 */
export interface EntryFeed {
  /**
   * Returns entries after a sequence number, by sequence, at most `limit`; none if there are no later ones yet. It skips no entry:
   * one whose transaction is still open holds back those with greater numbers. Numbers have gaps.
   */
  read(query: { readonly after: bigint; readonly limit: number }): Awaitable<readonly Entry[]>;
}
