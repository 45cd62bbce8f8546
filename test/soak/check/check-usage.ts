import type { Entry, UsageRow } from "@tollgate/core/store";
import { chargedIn, type Evidence } from "./check-charges.ts";

/** The usage rows of a run, and the processes that cannot have recorded all of theirs. */
export interface Recorded {
  readonly rows: readonly UsageRow[];
  /** The names of the processes that were killed, or whose recorder reported that it dropped rows. */
  readonly losing: ReadonlySet<string>;
}

/** Returns a violation for each usage row that differs from its ledger entries, and for each entry without a row. */
export function checkUsage(evidence: readonly Evidence[], { rows, losing }: Recorded): string[] {
  const byRequest = new Map<string, UsageRow[]>();
  for (const row of rows) byRequest.set(row.requestId, [...(byRequest.get(row.requestId) ?? []), row]);
  const known = new Set(evidence.map(({ record }) => record.call.plan.id));
  return [
    ...rows.filter(({ requestId }) => !known.has(requestId)).map(({ requestId }) => `Nobody sent ${requestId}.`),
    ...evidence.flatMap((each) => checkRequest(each, byRequest.get(each.record.call.plan.id) ?? [], losing)),
  ];
}

function checkRequest(
  { record, entries, unsettled }: Evidence,
  rows: readonly UsageRow[],
  losing: ReadonlySet<string>,
): string[] {
  const { call, gateway } = record;
  const name = `The request ${call.plan.id} at ${gateway}`;
  const [row] = rows;
  if (rows.length > 1) return [`${name} has ${rows.length} usage rows.`];
  if (row === undefined) {
    return entries.length === 0 || losing.has(gateway) ? [] : [`${name} was charged, and has no usage row.`];
  }
  if (row.dialect !== call.dialect) return [`${name} has a usage row of ${row.dialect}.`];
  const others = entries.filter(({ reference }) => reference !== row.holdId);
  if (others.length > 0) return [`${name} has an entry of another hold than its usage row.`];
  if (row.cost === chargedIn(entries) || unsettled) return [];
  return [`${name} has usage of ${row.cost}, and was charged ${chargedIn(entries)} (${kindsOf(entries)}).`];
}

const kindsOf = (entries: readonly Entry[]): string => entries.map(({ kind }) => kind).join(", ");
