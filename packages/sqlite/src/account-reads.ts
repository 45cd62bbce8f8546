import { type Awaitable, isPromiseLike, nextOf } from "@tollgate/core/internal";
import type { AccountPage } from "@tollgate/core/store";
import type { AccountRow } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import { canLapse, type Ledger } from "./ledger.ts";

/** Reads accounts after what is due of their lots has expired. Only if something is, a read is a write. */
export class AccountReads {
  readonly #connection: Connection;
  readonly #ledger: Ledger;

  constructor(connection: Connection, ledger: Ledger) {
    this.#connection = connection;
    this.#ledger = ledger;
  }

  /** Reads something of an account, given its row. */
  read<T>(account: string, step: (row: AccountRow | undefined) => T): Awaitable<T> {
    return this.#readOrLapse(
      () => {
        const row = this.#ledger.accounts.find(account);
        return row !== undefined && canLapse(row) ? undefined : { found: step(row) };
      },
      () => step(this.#ledger.current(account)),
    );
  }

  /** Returns accounts after an id whose ids begin with the prefix. */
  page(limit: number, after: string, prefix: string): Awaitable<AccountPage> {
    const list = () => this.#ledger.accounts.list(limit + 1, after, prefix);
    return this.#readOrLapse(
      () => {
        const rows = list();
        return rows.some(canLapse) ? undefined : { found: toPage(rows, limit) };
      },
      () => {
        for (const { account } of list().filter(canLapse)) this.#ledger.current(account.id);
        return toPage(list(), limit);
      },
    );
  }

  /** `read` returns undefined if something is to expire first. */
  #readOrLapse<T>(read: () => { readonly found: T } | undefined, lapse: () => T): Awaitable<T> {
    const answer = this.#connection.read(read);
    const found = (given: { readonly found: T } | undefined) =>
      given === undefined ? this.#connection.write(lapse) : given.found;
    return isPromiseLike(answer) ? answer.then(found) : found(answer);
  }
}

function toPage(rows: readonly AccountRow[], limit: number): AccountPage {
  const accounts = rows.slice(0, limit).map(({ account }) => account);
  return { accounts, ...nextOf(accounts, rows.length, ({ id }) => id) };
}
