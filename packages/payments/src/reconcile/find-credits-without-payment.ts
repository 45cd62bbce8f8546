import { formatAmount } from "@tollgate/core";
import type { Entry } from "@tollgate/core/store";
import type { Found } from "./difference.ts";
import type { ReconcileOptions } from "./reconcile-options.ts";

const pageSize = 200;

/** Finds the credits of the ledger that have the id of a payment, and belong to none. Returns how many such credits there are. */
export async function findCreditsWithoutPayment(options: ReconcileOptions, found: Found): Promise<number> {
  const { balances } = options;
  let count = 0;
  let after: string | undefined;
  do {
    const page = await balances.listAccounts({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const { id } of page.accounts) count += await checkAccount(options, id, found);
    after = page.next;
  } while (after !== undefined);
  return count;
}

async function checkAccount(options: ReconcileOptions, account: string, found: Found): Promise<number> {
  const { balances, from, to } = options;
  const query = { account, kind: "credit", from, to, limit: pageSize } as const;
  let count = 0;
  let after: bigint | undefined;
  do {
    const page = await balances.entries({ ...query, ...(after === undefined ? {} : { after }) });
    for (const entry of page.entries) {
      if (!entry.reference?.startsWith(prefix)) continue;
      count += 1;
      await checkCredit(options, account, entry, found);
    }
    after = page.next;
  } while (after !== undefined);
  return count;
}

const prefix = "payment:";

async function checkCredit(options: ReconcileOptions, account: string, entry: Entry, found: Found): Promise<void> {
  const { store, provider } = options;
  const [, reference = "", suffix = ""] = /^payment:(.*?)(?::(bonus|\d+))?$/s.exec(entry.reference ?? "") ?? [];
  const payment = await store.find({ provider: provider.name, reference });
  const isOwn = payment !== undefined && payment.account === account && payment.state === "paid";
  if (isOwn && (!/^\d+$/.test(suffix) || Number(suffix) <= payment.postings)) return;
  const sentence = `The ledger of ${account} has a credit of ${formatAmount(entry.amount)} with the id "${entry.reference}", and no payment gave it.`;
  found({ kind: "credit_without_payment", reference, account, sentence });
}
