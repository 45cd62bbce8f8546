import type { BalanceStore, Entry } from "@tollgate/core/store";

/** Returns the entries of an account by the id of their request, and those without a receipt by "". */
export async function readCharges(
  balances: Pick<BalanceStore, "entries">,
  account: string,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const charges = new Map<string, Entry[]>();
  for (let after: bigint | undefined; ; ) {
    const page = { account, limit: 1_000, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await balances.entries(page);
    for (const entry of entries) {
      const id = entry.receipt?.requestId ?? "";
      charges.set(id, [...(charges.get(id) ?? []), entry]);
    }
    if (next === undefined) return charges;
    after = next;
  }
}
