import type { EndEvent, GatewayEvent } from "../ports/observer.ts";
import type { UsageDimension, UsageFilter, UsageRow } from "../ports/usage-store.ts";
import { type Dialect, dialectEndpoints, dialects } from "../wire/dialect.ts";
import { hasFailed, noTokens, wasRefused } from "./usage-totals.ts";

/** The endpoints that call models. */
const recordedEndpoints: ReadonlySet<string> = new Set([
  ...dialects.map((dialect) => dialectEndpoints[dialect].name),
  "sessions.messages.create",
]);

/** The dialect of a request that was refused before its call. A turn of an assistant calls models by chat completions. */
const dialectOf = (endpoint: string): Dialect =>
  dialects.find((dialect) => dialectEndpoints[dialect].name === endpoint) ?? "chat";

/**
 * Returns the usage row of an end event. Returns undefined for other events, for endpoints that call no model, and for
 * requests without a known key.
 */
export function usageRowOf(event: GatewayEvent): UsageRow | undefined {
  if (event.type !== "request.completed" && event.type !== "request.refused") return undefined;
  const { keyId, account, plan, endpoint } = event;
  if (keyId === undefined || account === undefined || plan === undefined) return undefined;
  if (!recordedEndpoints.has(endpoint)) return undefined;
  return {
    id: event.id,
    at: new Date(event.at - event.durationMs),
    requestId: event.requestId,
    account,
    keyId,
    plan,
    endpoint,
    dialect: event.dialect ?? dialectOf(endpoint),
    status: event.status,
    ending: event.ending,
    tokens: event.tokens ?? noTokens,
    estimated: event.estimated ?? false,
    cost: event.cost ?? 0n,
    durationMs: event.durationMs,
    attempts: event.attempts ?? 0,
    tags: event.tags ?? [],
    timeline: event.timeline,
    ...optionalMembers(event),
  };
}

function optionalMembers(event: EndEvent): Partial<UsageRow> {
  const { provider, upstreamModel } = event;
  const members: { -readonly [Member in keyof UsageRow]?: UsageRow[Member] } = {};
  if (event.model !== undefined) members.model = event.model;
  if (provider !== undefined && upstreamModel !== undefined) members.target = { provider, upstreamModel };
  if (event.type === "request.refused") members.errorCode = event.code;
  if (event.upstreamCost !== undefined) members.upstreamCost = event.upstreamCost;
  if (event.holdId !== undefined) members.holdId = event.holdId;
  if (event.firstContentMs !== undefined) members.firstContentMs = event.firstContentMs;
  if (event.attemptsByTarget !== undefined) members.attemptsByTarget = event.attemptsByTarget;
  if (event.answerId !== undefined) members.answerId = event.answerId;
  if (event.sessionId !== undefined) members.sessionId = event.sessionId;
  if (event.endUser !== undefined) members.endUser = event.endUser;
  return members;
}

/** Returns the groups of a dimension in which a row counts: one, or one for each of several tags. The group without a value is "". */
export const groupsOf = (row: UsageRow, dimension: UsageDimension): readonly string[] =>
  dimension === "tag" && row.tags.length > 0 ? [...new Set(row.tags)] : [dimensionOf(row, dimension) ?? ""];

/** Returns the value of a dimension; undefined if the row has none, and for tags, of which it may have several. */
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
    case "end_user":
      return row.endUser;
    case "tag":
      return undefined;
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
