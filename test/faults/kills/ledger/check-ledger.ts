import { isDeepStrictEqual } from "node:util";
import type { BalanceStore, Entry } from "@tollgate/core/store";
import { chargeReceipt } from "../../../../packages/core/test-support/receipts.ts";
import { checkOverdraft, checkSums, readLedger } from "./account-entries.ts";
import type { LedgerMoment } from "./calls.ts";
import { checkLots } from "./check-lots.ts";
import { checkRefunds } from "./check-refunds.ts";
import { checkCredit, creditsIn } from "./credit-history.ts";
import { HoldHistory } from "./hold-history.ts";
import { isOutage } from "./outage.ts";
import { receiptOf } from "./recorded-store.ts";
import type { Violation } from "./violation.ts";

/** The recorded calls of a set of workers. */
export interface Evidence {
  readonly moments: readonly LedgerMoment[];
  readonly accounts: readonly string[];
  readonly leaseMs: number;
}

/**
 * Compares the results in the workers' journals with the state of the store after every hold has ended. No worker may
 * be running.
 */
export async function checkLedger(store: BalanceStore, evidence: Evidence): Promise<readonly Violation[]> {
  const holds = followHolds(evidence);
  const entries = new Map<string, Entry[]>();
  const found: Violation[] = [...holds.values()].flatMap(({ violations }) => violations);
  for (const account of evidence.accounts) {
    const read = await readLedger(store, account);
    const ledger = read.entries;
    for (const entry of ledger.filter(isCaused)) {
      entries.set(entry.reference, [...(entries.get(entry.reference) ?? []), entry]);
    }
    found.push(...checkSums(account, read), ...checkOverdraft(account, ledger, holds));
    found.push(...ledger.flatMap(checkReceipt), ...(await checkLots(store, account, ledger)));
    found.push(...checkRefunds(account, ledger, evidence.moments));
  }
  const credits = creditsIn(evidence.moments);
  for (const [id, credit] of credits) found.push(...checkCredit(id, credit, entries.get(id) ?? []));
  for (const [id, hold] of holds) found.push(...checkCharges(hold, entries.get(id) ?? []));
  for (const id of entries.keys()) {
    if (!holds.has(id) && !credits.has(id)) found.push({ kind: "wrong", problem: `No call caused entry ${id}.` });
  }
  const silent = [...holds.values()].filter(({ id, made }) => made === "held" && !entries.has(id));
  found.push(...(await checkPresence(store, silent)), ...checkErrors(evidence.moments));
  const verified = await store.verify();
  return [...found, ...verified.map(({ problem }): Violation => ({ kind: "drift", problem }))];
}

/** True for the entries that a hold or a credit of the workers caused, and not the store itself or another entry. */
const isCaused = ({ kind, reference }: Entry): boolean =>
  kind !== "lapse" && kind !== "refund" && !reference.startsWith("allowance:");

function followHolds({ moments, leaseMs }: Evidence): Map<string, HoldHistory> {
  const holds = new Map<string, HoldHistory>();
  for (const moment of moments) {
    for (const id of holdsOf(moment)) {
      const hold = holds.get(id) ?? new HoldHistory(id, leaseMs);
      holds.set(id, hold);
      hold.take(moment);
    }
  }
  return holds;
}

function holdsOf({ recorded: { call } }: LedgerMoment): readonly string[] {
  if (call.verb === "renew") return call.renewals.map(({ id }) => id);
  return call.verb === "hold" || call.verb === "settle" || call.verb === "release" ? [call.id] : [];
}

function checkCharges(hold: HoldHistory, entries: readonly Entry[]): Violation[] {
  const charged = -entries.reduce((sum, { amount }) => sum + amount, 0n);
  const kinds = entries.map(({ kind }) => kind).join(", ");
  if (!["", "charge", "expiry", "late", "expiry, late"].includes(kinds)) {
    return [{ kind: "double", problem: `Hold ${hold.id} was charged by ${kinds}.` }];
  }
  if (chargesAllowed(hold).includes(charged)) return [];
  const told = hold.ended === undefined ? hold.made : `ended by ${hold.ended.by ?? "release"}`;
  const problem = `Hold ${hold.id} of ${hold.amount} (${told}) was charged ${charged} by ${kinds || "nothing"}.`;
  return [{ kind: hold.ended !== undefined && entries.length === 0 ? "lost" : "drift", problem }];
}

/** Checks that a charge has the receipts of its hold and of its settlement, and an expiry that of its hold. */
function checkReceipt({ kind, reference, receipt }: Entry): Violation[] {
  if (kind !== "charge" && kind !== "expiry" && kind !== "late") return [];
  const charge = kind === "expiry" ? {} : { charge: chargeReceipt };
  if (isDeepStrictEqual(receipt, { ...receiptOf(reference), keyId: "key", ...charge })) return [];
  return [{ kind: "unexplained", problem: `The ${kind} of hold ${reference} has a wrong receipt or none.` }];
}

function chargesAllowed(hold: HoldHistory): readonly bigint[] {
  if (hold.ended !== undefined) return [hold.ended.by ?? 0n];
  if (hold.made === "refused") return [0n];
  const checkpoints = hold.usedSent.filter((used) => used >= hold.usedAcknowledged);
  return [...checkpoints, ...hold.possibleEnds.map((end) => end ?? 0n), ...(hold.made === "held" ? [] : [0n])];
}

/** Checks that a hold without an entry exists and has ended. Its release then has no effect. */
async function checkPresence(store: BalanceStore, holds: readonly HoldHistory[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (let at = 0; at < holds.length; at += 50) {
    const some = await Promise.all(holds.slice(at, at + 50).map((hold) => checkOnePresence(store, hold)));
    found.push(...some.flat());
  }
  return found;
}

async function checkOnePresence(store: BalanceStore, { id, account }: HoldHistory): Promise<Violation[]> {
  try {
    const { outcome } = await store.release({ id, account });
    if (outcome === "unknown") return [{ kind: "lost", problem: `Hold ${id} was granted and is not there.` }];
    return outcome === "ended" ? [{ kind: "stuck", problem: `Hold ${id} was still pending.` }] : [];
  } catch (error) {
    return [{ kind: "stuck", problem: `Hold ${id} cannot be released: ${error}` }];
  }
}

function checkErrors(moments: readonly LedgerMoment[]): Violation[] {
  return moments.flatMap(({ happened, recorded: { call, answer } }): Violation[] => {
    if (happened === "begun" || answer?.error === undefined || isOutage(answer.error)) return [];
    return [{ kind: "wrong", problem: `${call.verb} threw: ${answer.error}` }];
  });
}
