import type { UsageDimension, UsageFilter, UsageRow } from "../ports/usage-store.ts";
import { hasFailed, wasRefused } from "./usage-totals.ts";

/** Returns the value of a dimension; undefined if the row has none. */
export function dimensionOf(row: UsageRow, dimension: UsageDimension): string | undefined {
  switch (dimension) {
    case "model":
      return row.model;
    case "account":
      return row.account;
    case "key":
      return row.keyId;
    case "target":
      return row.target && `${row.target.provider}/${row.target.upstreamModel}`;
    case "dialect":
      return row.dialect;
    case "status":
      return String(row.status);
  }
}

/** True for a row that has all values of the filter. */
export function matchesFilter(row: UsageRow, filter: UsageFilter = {}): boolean {
  const equal = (wanted: string | number | undefined, value: string | number | undefined) =>
    wanted === undefined || wanted === value;
  return (
    equal(filter.model, row.model) &&
    equal(filter.account, row.account) &&
    equal(filter.key, row.keyId) &&
    equal(filter.target, dimensionOf(row, "target")) &&
    equal(filter.dialect, row.dialect) &&
    equal(filter.status, row.status) &&
    equal(filter.session, row.sessionId) &&
    equal(filter.endUser, row.endUser) &&
    equal(filter.requestId, row.requestId) &&
    equal(filter.answerId, row.answerId) &&
    equal(filter.id, row.id) &&
    (filter.tag === undefined || row.tags.includes(filter.tag)) &&
    hasOutcome(row, filter)
  );
}

function hasOutcome(row: UsageRow, { failed = false, refused = false }: UsageFilter): boolean {
  return (!failed && !refused) || (failed && hasFailed(row)) || (refused && wasRefused(row));
}
