import { formatAmount } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import type { Payment } from "../payment.ts";
import type { Found } from "./difference.ts";

type Ledger = Pick<BalanceStore, "entries">;

/** Compares a payment with the entries of its credit, its bonus, and what was taken back. */
export async function compareLedger(balances: Ledger, payment: Payment, found: Found): Promise<void> {
  const { id, account, product, receipt, takenBack, state, postings } = payment;
  const reference = receipt?.reference ?? "";
  const about = { reference, payment: id, account };
  const posted = (suffix: string) => postedOf(balances, account, `payment:${reference}${suffix}`);
  const [credit, bonus] = [await posted(""), await posted(":bonus")];
  const isPaid = state === "paid";
  const expected = isPaid ? product : { credit: 0n, bonus: 0n };
  if (credit !== expected.credit || bonus !== expected.bonus) {
    const kind = credit + bonus === 0n ? "not_credited" : "credited_wrongly";
    const sentence = `The ledger of ${account} has ${amounts(credit, bonus)} for ${reference}, and the payment ${id} gives ${amounts(expected.credit, expected.bonus)}.`;
    found({ ...about, kind, sentence });
  }
  let back = 0n;
  for (let number = 1; number <= postings; number++) back -= await posted(`:${number}`);
  const expectedBack = takenBack.credit + takenBack.bonus;
  if (back === expectedBack) return;
  const sentence = `The ledger of ${account} has taken back ${formatAmount(back)} for ${reference}, and the payment ${id} says ${formatAmount(expectedBack)}.`;
  found({ ...about, kind: "taken_back_wrongly", sentence });
}

const amounts = (credit: bigint, bonus: bigint): string =>
  `a credit of ${formatAmount(credit)} and a bonus of ${formatAmount(bonus)}`;

/** Returns what the entries with a reference sum to; zero without one. */
async function postedOf(balances: Ledger, account: string, reference: string): Promise<bigint> {
  const { entries } = await balances.entries({ account, reference, limit: 10 });
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}
