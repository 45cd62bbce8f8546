import type { GatewayEvent } from "../ports/observer.ts";
import type { TokenCounts } from "../ports/receipt.ts";
import type { UsageRow } from "../ports/usage-store.ts";
import { type Dialect, dialectEndpoints, dialects } from "../wire/dialect.ts";

/** The endpoints that call models. */
const recordedEndpoints: ReadonlySet<string> = new Set([
  ...dialects.map((dialect) => dialectEndpoints[dialect].name),
  "sessions.messages.create",
]);

const noTokens: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

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

type EndEvent = Extract<GatewayEvent, { readonly type: "request.completed" | "request.refused" }>;

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
