import type { Balance, EntryKind } from "@tollgate/core/store";
import { Accounts } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import { Entries } from "./entries.ts";

/** Money that moves on an account, in nano-units. */
export interface Movement {
  readonly account: string;
  readonly kind: EntryKind;
  /** Negative when the account pays; zero moves nothing and leaves no entry. */
  readonly amount: bigint;
  /** What is no longer held because of it. */
  readonly freed: bigint;
  readonly reference: string;
  readonly reason?: string;
}

/** The accounts together with their entries, which always change in one transaction. */
export class Ledger {
  readonly accounts: Accounts;
  readonly entries: Entries;

  constructor(connection: Connection) {
    this.accounts = new Accounts(connection);
    this.entries = new Entries(connection);
  }

  post({ freed, ...entry }: Movement): Balance {
    const balance = this.accounts.move(entry.account, entry.amount, freed);
    if (entry.amount !== 0n) this.entries.add({ ...entry, at: new Date() });
    return balance;
  }
}
