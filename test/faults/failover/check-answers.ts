import type { BalanceStore, Entry } from "@tollgate/core/store";
import { readCharges } from "../dialects/read-charges.ts";
import type { Answer } from "./answers.ts";

/**
 * Compares what clients received with the entries of their account: a request that was answered is charged its price once,
 * another is not charged. Returns the differences.
 */
export async function checkAnswers(
  balances: Pick<BalanceStore, "entries" | "balance" | "verify">,
  account: string,
  answers: readonly Answer[],
  price: bigint,
): Promise<readonly string[]> {
  const charges = await readCharges(balances, account);
  const { held } = await balances.balance(account);
  return [
    ...answers.flatMap((answer) => checkAnswer(answer, charges.get(answer.requestId) ?? [], price)),
    ...(held === 0n ? [] : [`${held} nano-units are still held.`]),
    ...(await balances.verify()).map(({ problem }) => problem),
  ];
}

function checkAnswer({ requestId, status, isWhole }: Answer, entries: readonly Entry[], price: bigint): string[] {
  const charged = entries.map(({ amount }) => -amount);
  const name = `The request ${requestId} was answered with ${status}`;
  if (status !== 200 && status !== 503) return [`${name}.`];
  if (status === 200 && !isWhole) return [`${name}, and its answer is not whole.`];
  const expected = status === 200 ? [price] : [];
  return String(charged) === String(expected) ? [] : [`${name}, and charged ${charged.join(" and ") || "nothing"}.`];
}
