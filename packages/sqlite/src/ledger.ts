import type { Balance, EntryKind } from "@tollgate/core/store";
import { Accounts } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import { Entries, type ReceiptColumns } from "./entries.ts";
import { Spend } from "./spend.ts";

/** A change to the balance of an account, in nano-units. */
export interface Movement {
  readonly account: string;
  readonly kind: EntryKind;
  /** Negative when the account pays. Zero adds no entry. */
  readonly amount: bigint;
  /** The held amount that this change releases. */
  readonly released: bigint;
  readonly reference: string;
  readonly reason?: string;
  readonly receipt?: ReceiptColumns;
}

/** The accounts and their entries, which always change in one transaction. */
export class Ledger {
  readonly accounts: Accounts;
  readonly entries: Entries;
  readonly spend: Spend;

  constructor(connection: Connection) {
    this.accounts = new Accounts(connection);
    this.entries = new Entries(connection);
    this.spend = new Spend(connection);
  }

  post({ released, ...entry }: Movement): Balance {
    const balance = this.accounts.move(entry.account, entry.amount, released);
    if (entry.amount !== 0n) this.entries.add({ ...entry, at: new Date() });
    return balance;
  }
}
