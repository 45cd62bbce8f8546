import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore, KeyAdmin } from "@tollgate/core/store";

/** The stores that the commands work on. A command whose store is absent says so. */
export interface Records {
  readonly keys?: KeyAdmin;
  readonly balances?: BalanceStore;
  /** The ids of the gateway's plans: `keys create` then refuses any other. Absent: it takes any. */
  readonly plans?: readonly string[];
  /** Called when the command has ended, however it ended, to close what the file opened. */
  close?(): void | Promise<void>;
}

/** What a config file exports by default: the records, a promise of them, or a function that gives either. */
export type RecordsSource = Awaitable<Records> | (() => Awaitable<Records>);
