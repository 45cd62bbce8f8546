import type { Account, AccountPage } from "../ports/account-admin.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";
import { balanceOf, type MemoryAccount, newAccount } from "./memory-account.ts";

/** The accounts of a memory balance store by id. */
export class MemoryAccounts {
  readonly #accounts = new Map<string, MemoryAccount>();

  get(id: string): MemoryAccount | undefined {
    return this.#accounts.get(id);
  }

  all(): Iterable<MemoryAccount> {
    return this.#accounts.values();
  }

  /** Returns the account, and creates it first if needed. */
  open(id: string): MemoryAccount {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account = newAccount(id);
    this.#accounts.set(id, account);
    return account;
  }

  limitSpend(id: string, limit: SpendLimit | undefined): void {
    this.open(id).spendLimit = limit && { ...limit };
  }

  page({
    limit,
    after,
    prefix = "",
  }: {
    readonly limit: number;
    readonly after?: string;
    readonly prefix?: string;
  }): AccountPage {
    const ids = [...this.#accounts.keys()].filter((id) => id.startsWith(prefix)).sort(compareBytes);
    const rest = after === undefined ? ids : ids.filter((id) => compareBytes(id, after) > 0);
    const accounts = rest.slice(0, limit).flatMap((id) => this.find(id) ?? []);
    const last = accounts.at(-1);
    return last === undefined || rest.length <= limit ? { accounts } : { accounts, next: last.id };
  }

  find(id: string): Account | undefined {
    const account = this.#accounts.get(id);
    if (account === undefined) return undefined;
    const { spendLimit } = account;
    return { id, balance: balanceOf(account), ...(spendLimit === undefined ? {} : { spendLimit: { ...spendLimit } }) };
  }
}

/** Compares texts by their UTF-8 bytes, whose order is that of the code points. */
function compareBytes(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (const [at, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
