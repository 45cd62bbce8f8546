import type { Entry } from "@tollgate/core/store";
import type { LedgerMoment } from "./calls.ts";
import type { Violation } from "./violation.ts";

/** Checks that each acknowledged refund is in the ledger once, and that no other refund is. */
export function checkRefunds(account: string, ledger: readonly Entry[], moments: readonly LedgerMoment[]): Violation[] {
  const asked = refundsIn(account, moments);
  const refunds = ledger.filter(({ kind }) => kind === "refund");
  const problems = refunds.flatMap(({ reference, amount }): Violation[] => {
    const amounts = asked.get(reference)?.amounts;
    if (amounts?.includes(amount) === true) return [];
    return [{ kind: "wrong", problem: `No call refunded ${amount} of the charge ${reference}.` }];
  });
  for (const [reference, { acknowledged }] of asked) {
    const found = refunds.filter((entry) => entry.reference === reference);
    if (found.length > 1) problems.push({ kind: "double", problem: `The charge ${reference} was refunded twice.` });
    if (acknowledged === undefined || found.some(({ amount }) => amount === acknowledged)) continue;
    problems.push({ kind: "lost", problem: `The refund of ${reference} was acknowledged and is not there.` });
  }
  return problems;
}

interface AskedRefund {
  readonly amounts: bigint[];
  acknowledged?: bigint;
}

/** Collects the refunds of an account that the workers began, by the sequence number of the charge. */
function refundsIn(account: string, moments: readonly LedgerMoment[]): Map<string, AskedRefund> {
  const asked = new Map<string, AskedRefund>();
  for (const { happened, recorded } of moments) {
    const { call, answer } = recorded;
    if (call.verb !== "refund" || call.account !== account) continue;
    const refund = asked.get(`${call.sequence}`) ?? { amounts: [] };
    asked.set(`${call.sequence}`, refund);
    refund.amounts.push(call.amount);
    const isDone = answer?.outcome === "posted" || answer?.outcome === "repeated";
    if (happened === "answered" && isDone) refund.acknowledged = call.amount;
  }
  return asked;
}
