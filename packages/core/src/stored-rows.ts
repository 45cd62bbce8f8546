import { readStoredKey } from "./access/stored-key.ts";
import { hasFailed, latencyBucket, wasRefused } from "./events/usage-totals.ts";
import { type ReceiptRow, readReceipt, readTokens } from "./money/receipt-columns.ts";
import type { AuditEntry } from "./ports/audit-log.ts";
import type { Account, Balance } from "./ports/balance-store.ts";
import type { ClientData } from "./ports/client-data.ts";
import type { ApiKey } from "./ports/key-store.ts";
import { type Entry, entryKinds, type LotShare } from "./ports/ledger-entry.ts";
import type { StoredResponse } from "./ports/response-store.ts";
import type { Session } from "./ports/session-store.ts";
import { readAuditEntry, readSpendColumns } from "./ports/stored-json.ts";
import type { TargetAttempts, UsageRow } from "./ports/usage-store.ts";
import { dialects } from "./wire/dialect.ts";

/** A row of a SQL store, whose columns are read by their type. A value that is NULL is undefined. */
export interface StoredRow extends ReceiptRow {
  optionalFlag(column: string): boolean | undefined;
  optionalJson(column: string): unknown;
  time(column: string): Date;
  optionalTime(column: string): Date | undefined;
}

/** Reads an account whose balance was read. */
export function readAccountRow(row: StoredRow, balance: Balance): Account {
  const frozenAt = row.optionalTime("frozen_at");
  const account = {
    id: row.text("id"),
    balance,
    ...(frozenAt === undefined ? {} : { frozen: { at: frozenAt, reason: row.text("frozen_reason") } }),
  };
  if (row.optionalText("spend_window") === undefined) return account;
  return { ...account, spendLimit: readSpendColumns(row, "spend_window", "spend_timezone") };
}

/** Reads an entry of the ledger. */
export function readEntryRow(row: StoredRow, account: string): Entry {
  const reason = row.optionalText("reason");
  const receipt = readReceipt(row);
  const lots = row.optionalText("lots");
  return {
    sequence: row.integer("sequence"),
    account,
    kind: row.oneOf("kind", entryKinds),
    amount: row.integer("amount"),
    reference: row.text("reference"),
    ...(reason === undefined ? {} : { reason }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(lots === undefined ? {} : { lots: readLots(lots) }),
    at: row.time("at"),
  };
}

/** Converts the lots of an entry to JSON for its row, with amounts as text. Returns undefined for none, which becomes NULL. */
export const writeLots = (lots: readonly LotShare[]): string | undefined =>
  lots.length === 0
    ? undefined
    : JSON.stringify(lots, (_name, value) => (typeof value === "bigint" ? `${value}` : value));

/** A {@link LotShare} as {@link writeLots} writes it. */
type StoredLotShare = Omit<LotShare, "amount" | "expiresAt"> & { readonly amount: string; readonly expiresAt?: string };

function readLots(json: string): readonly LotShare[] {
  const stored: readonly StoredLotShare[] = JSON.parse(json);
  return stored.map(({ lot, kind, amount, expiresAt }) => ({
    lot,
    kind,
    amount: BigInt(amount),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
  }));
}

/** Reads an entry of the audit log. */
export const readAuditRow = (row: StoredRow): AuditEntry =>
  readAuditEntry({
    sequence: row.integer("sequence"),
    at: row.time("at"),
    actor: row.text("actor"),
    action: row.text("action"),
    subject: row.text("subject"),
    before: row.optionalText("before"),
    after: row.optionalText("after"),
  });

/** Reads a key, whose `limitsId` is undefined if it replaced none. */
export const readKeyRow = (row: StoredRow, account: string, limitsId: string | undefined): ApiKey =>
  readStoredKey({
    id: row.text("id"),
    account,
    plan: row.text("plan"),
    lastFour: row.text("last_four"),
    createdAt: row.time("created_at"),
    name: row.optionalText("name"),
    models: row.optionalJson("models"),
    features: row.optionalJson("features"),
    dialects: row.optionalJson("dialects"),
    scopes: row.optionalJson("scopes"),
    limits: row.optionalJson("limits"),
    spend: row.optionalJson("spend"),
    tags: row.optionalJson("tags"),
    logContent: row.optionalFlag("log_content"),
    expiresAt: row.optionalTime("expires_at"),
    revokedAt: row.optionalTime("revoked_at"),
    rotatedFrom: row.optionalText("rotated_from"),
    limitsId,
  });

/** Reads a session whose client data was parsed. */
export const readSessionRow = (row: StoredRow, account: string, clientData: ClientData): Session => ({
  id: row.text("id"),
  account,
  assistantId: row.text("assistant_id"),
  clientData,
  createdAt: row.time("created_at"),
  updatedAt: row.time("updated_at"),
});

/** Reads a response without its items. */
export function readResponseRow(row: StoredRow, account: string): StoredResponse {
  const previousId = row.optionalText("previous_id");
  return {
    id: row.text("id"),
    account,
    response: row.text("response"),
    createdAt: row.time("created_at"),
    ...(previousId === undefined ? {} : { previousId }),
  };
}

/** Reads the usage of a request, of which `own` are the members whose columns differ between stores. */
export function readUsageRow(
  row: StoredRow,
  own: Pick<UsageRow, "account" | "estimated" | "tags" | "timeline">,
): UsageRow {
  const count = (column: string) => Number(row.integer(column));
  return {
    id: row.text("id"),
    at: row.time("at"),
    requestId: row.text("request_id"),
    keyId: row.text("key_id"),
    plan: row.text("plan"),
    endpoint: row.text("endpoint"),
    dialect: row.oneOf("dialect", dialects),
    status: count("status"),
    ending: row.text("ending"),
    tokens: readTokens(row, ""),
    cost: row.integer("cost"),
    durationMs: count("duration_ms"),
    attempts: count("attempts"),
    ...own,
    ...optionalMembers(row),
  };
}

function optionalMembers(row: StoredRow): Partial<UsageRow> {
  const [provider, upstreamModel] = [row.optionalText("provider"), row.optionalText("upstream_model")];
  const upstreamCost = row.optionalInteger("upstream_cost");
  const firstContentMs = row.optionalInteger("first_content_ms");
  const attemptsByTarget = row.optionalJson("attempts_by_target");
  const texts = {
    answerId: row.optionalText("answer_id"),
    model: row.optionalText("model"),
    errorCode: row.optionalText("error_code"),
    holdId: row.optionalText("hold_id"),
    sessionId: row.optionalText("session_id"),
    endUser: row.optionalText("end_user"),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(provider === undefined || upstreamModel === undefined ? {} : { target: { provider, upstreamModel } }),
    ...(upstreamCost === undefined ? {} : { upstreamCost }),
    ...(firstContentMs === undefined ? {} : { firstContentMs: Number(firstContentMs) }),
    ...(isAttempts(attemptsByTarget) ? { attemptsByTarget } : {}),
  };
}

const isAttempts = (value: unknown): value is readonly TargetAttempts[] => Array.isArray(value);

/** Returns the values of a row of usage by column, apart from `account`. `failed` counts refused requests too. */
export function usageColumns(row: UsageRow) {
  const { tokens, target, firstContentMs } = row;
  return {
    id: row.id,
    at: row.at.getTime(),
    request_id: row.requestId,
    key_id: row.keyId,
    plan: row.plan,
    endpoint: row.endpoint,
    dialect: row.dialect,
    model: row.model,
    provider: target?.provider,
    upstream_model: target?.upstreamModel,
    status: row.status,
    error_code: row.errorCode,
    ending: row.ending,
    failed: hasFailed(row) || wasRefused(row),
    input: tokens.input,
    cached_input: tokens.cachedInput,
    cache_write_5m: tokens.cacheWrite5m,
    cache_write_1h: tokens.cacheWrite1h,
    output: tokens.output,
    reasoning: tokens.reasoning,
    estimated: row.estimated,
    cost: row.cost,
    upstream_cost: row.upstreamCost,
    hold_id: row.holdId,
    duration_ms: row.durationMs,
    duration_bucket: latencyBucket(row.durationMs),
    first_content_ms: firstContentMs,
    first_content_bucket: firstContentMs === undefined ? undefined : latencyBucket(firstContentMs),
    attempts: row.attempts,
    session_id: row.sessionId,
    end_user: row.endUser,
    tags: row.tags,
    timeline: JSON.stringify(row.timeline),
    attempts_by_target: row.attemptsByTarget && JSON.stringify(row.attemptsByTarget),
    answer_id: row.answerId,
  };
}
