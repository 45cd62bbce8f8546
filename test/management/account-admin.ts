import type { memoryBalanceStore } from "@tollgate/core";
import type { Account, AccountAdmin, SpendLimit } from "@tollgate/core/store";

/** Lists the accounts "acme", "acme-2" and "other" of a balance store, with spend limits. Half of each limit is spent. */
export function accountsOf(balances: ReturnType<typeof memoryBalanceStore>): AccountAdmin {
  const ids = ["acme", "acme-2", "other"];
  const limits = new Map<string, SpendLimit>();
  const account = (id: string): Account => {
    const spendLimit = limits.get(id);
    const balance = balances.balance(id);
    if (balance instanceof Promise) throw new Error("The balance of a memory store is synchronous.");
    return spendLimit === undefined ? { id, balance } : { id, balance, spendLimit };
  };
  return {
    listAccounts({ limit, after = "", prefix = "" }) {
      const all = ids.filter((id) => id > after && id.startsWith(prefix));
      const accounts = all.slice(0, limit).map(account);
      const last = accounts.at(-1);
      return all.length > limit && last !== undefined ? { accounts, next: last.id } : { accounts };
    },
    findAccount: (id) => (ids.includes(id) ? account(id) : undefined),
    limitSpend(id, limit) {
      if (limit === undefined) limits.delete(id);
      else limits.set(id, limit);
    },
    spendOf: (queries) =>
      queries.map(({ limit }) => ({ limit, spent: limit.limit / 2n, resetsAt: new Date("2026-02-01T00:00:00Z") })),
  };
}
