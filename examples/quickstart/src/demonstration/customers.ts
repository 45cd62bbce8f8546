import type { BalanceStore, KeyAdmin } from "@tollgate/core/store";

/** A key of an invented customer. Its secret is shown to nobody. */
export interface CustomerKey {
  readonly id: string;
  readonly account: string;
  readonly tags: readonly string[];
  /** Its share of the traffic. */
  readonly weight: number;
}

/** Invented customers, so that the dashboard has something to show. */
const customers = [
  { account: "globex", name: "web app", tags: ["web"], weight: 8 },
  { account: "globex", name: "nightly reports", tags: ["batch"], weight: 3 },
  { account: "initech", name: "support bot", tags: ["support"], weight: 5 },
  { account: "umbrella", name: "research", tags: ["research", "batch"], weight: 2 },
  { account: "hooli", name: "mobile app", tags: ["mobile"], weight: 4 },
] as const;

const openingBalance = 250_000_000_000n;

/** Returns a key for each customer, and creates it with an opening balance at the first start. */
export async function openCustomers(keys: KeyAdmin, balances: BalanceStore): Promise<readonly CustomerKey[]> {
  const opened: CustomerKey[] = [];
  for (const { account, name, tags, weight } of customers) {
    const { keys: known } = await keys.list({ account, limit: 100 });
    const found = known.find((key) => key.name === name);
    const key = found ?? (await keys.create({ account, name, tags, plan: "prepaid" })).key;
    await balances.credit({ id: `opening-${account}`, account, amount: openingBalance, reason: "opening balance" });
    opened.push({ id: key.id, account, tags, weight });
  }
  return opened;
}
