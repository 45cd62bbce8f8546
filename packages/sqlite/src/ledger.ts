import {
  amountToLapse,
  type Balance,
  type EntryKind,
  type LotShare,
  type Return,
  returnToLots,
  roomForLots,
  shareOf,
  takeFromLots,
} from "@tollgate/core/store";
import { type AccountRow, Accounts, type Moved } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import { Entries, type ReceiptColumns } from "./entries.ts";
import { Lots, type NewLot } from "./lots.ts";
import type { Notices } from "./notices.ts";
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
  /** The lot that a credit makes. Absent: it is paid money that does not expire. */
  readonly lot?: NewLot | undefined;
  /** The debit takes paid money alone. */
  readonly from?: "paid" | undefined;
  /** The charge that is returned. */
  readonly returns?: Returned | undefined;
}

/** A charge of which money is returned. `before` is what was returned of it before. */
export type Returned = Pick<Return, "charge" | "before" | "by">;

/** The accounts, their entries and their lots, which always change in one transaction. */
export class Ledger {
  readonly accounts: Accounts;
  readonly entries: Entries;
  readonly lots: Lots;
  readonly spend: Spend;
  readonly #notices: Notices;

  constructor(connection: Connection, notices: Notices) {
    this.accounts = new Accounts(connection);
    this.entries = new Entries(connection);
    this.lots = new Lots(connection);
    this.spend = new Spend(connection);
    this.#notices = notices;
  }

  /** Returns the row of an account, after what is due of its lots has expired. */
  current(account: string): AccountRow | undefined {
    const row = this.accounts.find(account);
    if (row === undefined || !canLapse(row)) return row;
    this.#lapse(account);
    return this.accounts.find(account);
  }

  /** Lets what is due expire in up to `limit` accounts. */
  lapseDue(limit: number): void {
    for (const account of this.accounts.due(Date.now(), limit)) this.#lapse(account);
  }

  /** Posts a change. What is due of the account's lots expires before it, and again after the end of a hold. */
  post(movement: Movement): Balance {
    const moved = this.#move(movement);
    const { account, amount, lot, returns } = movement;
    const isOfLots = moved.inLots > 0n || lot !== undefined || returns?.charge.lots !== undefined;
    if (isOfLots) return this.#postToLots(movement, moved.balance);
    if (amount === 0n) return moved.balance;
    this.#add(movement);
    this.#notices.afterPosting(account, moved.balance);
    return moved.balance;
  }

  #move({ account, amount, released }: Movement): Moved {
    const moved = this.accounts.move(account, amount, released, Date.now());
    if (moved !== undefined) return moved;
    this.#lapse(account);
    return this.#moveInAnyCase(account, amount, released);
  }

  /** Moves amounts although holds still need a lot that has expired. */
  #moveInAnyCase(account: string, amount: bigint, released: bigint): Moved {
    const moved = this.accounts.move(account, amount, released, 0);
    if (moved === undefined) throw new Error(`The account ${account} has no row, although it has holds or postings.`);
    return moved;
  }

  #postToLots(movement: Movement, balance: Balance): Balance {
    const { account, amount, from, released } = movement;
    const open = this.lots.open(account);
    if (amount < 0n) {
      const paying = open.filter(({ kind }) => from === undefined || kind === from);
      const shares = takeFromLots(paying, -amount);
      this.#add(movement, shares);
      this.lots.take(account, shares);
    } else if (amount > 0n) {
      const shares = receivedShares(movement, roomForLots(balance.posted, open));
      this.#add(movement, shares);
      this.lots.add(account, shares);
    }
    this.#changedLots(account, balance);
    return released > 0n ? this.#lapse(account) : balance;
  }

  #changedLots(account: string, balance: Balance): void {
    this.lots.count(account);
    this.#notices.afterPosting(account, balance);
  }

  #add(movement: Movement, lots: readonly LotShare[] = []): void {
    this.entries.add({ ...movement, lots: lots.filter((share) => share.amount > 0n), at: new Date() });
  }

  /** Lets expire what is due of the lots of an account and not needed by its holds, and returns the balance. */
  #lapse(account: string): Balance {
    const now = Date.now();
    const before = this.accounts.balance(account);
    let balance = before;
    for (const lot of this.lots.open(account)) {
      if (lot.expiresAt === undefined || lot.expiresAt.getTime() > now) break;
      const amount = amountToLapse(lot, balance.posted, balance.held);
      if (amount === 0n) break;
      const lots = [shareOf(lot, amount)];
      ({ balance } = this.#moveInAnyCase(account, -amount, 0n));
      this.entries.add({ account, kind: "lapse", amount: -amount, reference: lot.id, lots, at: new Date(now) });
      this.lots.take(account, lots);
    }
    if (balance.posted !== before.posted) this.#changedLots(account, balance);
    return balance;
  }
}

/** Returns what lots receive of a credit or a return, for which there is a limited room. */
function receivedShares({ amount, lot, returns }: Movement, room: bigint): readonly LotShare[] {
  // A lot can be made without anything in it: by its row, the credit is recognized when it is repeated.
  if (lot !== undefined) return [{ ...lot, amount: amount < room ? amount : room }];
  return returns === undefined ? [] : returnToLots({ ...returns, amount, room, now: Date.now() });
}

/** True if a part of the account's lots is to expire now: its time has passed, and pending holds do not need it. */
export const canLapse = ({ account, nextLapse }: AccountRow): boolean =>
  nextLapse !== undefined && nextLapse <= Date.now() && account.balance.available > 0n;
