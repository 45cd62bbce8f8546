import type { Awaitable } from "@tollgate/core/internal";
import type {
  AccountAdmin,
  AuditLog,
  BalanceStore,
  KeyAdmin,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  TermsStore,
  UsageStore,
} from "@tollgate/core/store";

/** The stores of the commands. A command whose store is absent fails with a message. */
export interface Records {
  readonly keys?: KeyAdmin;
  readonly balances?: BalanceStore;
  /** Lists accounts and limits what they spend. Absent: `balances`, if it implements AccountAdmin. */
  readonly accounts?: AccountAdmin;
  readonly usage?: UsageStore;
  readonly terms?: TermsStore & TermsAdmin;
  readonly sessions?: SessionStore & SessionAdmin;
  readonly audit?: AuditLog;
  /** The ids of the gateway's plans. If present, `keys create` rejects other plans. */
  readonly plans?: readonly string[];
  /** Called when the command has ended, successfully or not, to close what the file opened. */
  close?(): void | Promise<void>;
}

/** The default export of a config file: the records, a promise of them, or a function that returns either. */
export type RecordsSource = Awaitable<Records> | (() => Awaitable<Records>);
