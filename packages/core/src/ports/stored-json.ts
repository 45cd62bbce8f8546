import { isJsonMembers, isJsonObject } from "../wire/json.ts";
import { parseLosslessJson } from "../wire/lossless-json.ts";
import type { AuditEntry } from "./audit-log.ts";
import type { ClientData } from "./client-data.ts";
import { type SpendLimit, type SpendWindow, spendWindows } from "./spend-limit.ts";
import type { WebhookLog } from "./webhook-log.ts";

/** Parses client data that a store wrote with `writeLosslessJson`. Throws for other text. */
export function readClientData(text: string): ClientData {
  const value = parseLosslessJson(text);
  if (isJsonMembers(value)) return value;
  throw new TypeError("The stored client data is not a JSON object. Repair or delete the session.");
}

/** Parses a log that a store wrote with `writeLosslessJson`. Throws for other text. */
export function readLog(text: string): WebhookLog {
  const value: unknown = parseLosslessJson(text);
  if (isLog(value)) return value;
  throw new TypeError("The stored webhook log is not one that the gateway wrote. Repair or delete the session.");
}

const isLog = (value: unknown): value is WebhookLog => isJsonObject(value) && typeof value["id"] === "string";

/** An entry as a store keeps it: the states before and after as JSON that `writeLosslessJson` wrote, or undefined. */
export interface StoredAuditEntry extends Omit<AuditEntry, "before" | "after"> {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reads a stored entry. An undefined state becomes an absent member. Throws a SyntaxError if a state is not JSON. */
export const readAuditEntry = ({ before, after, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  ...(before === undefined ? {} : { before: parseLosslessJson(before) }),
  ...(after === undefined ? {} : { after: parseLosslessJson(after) }),
});

/** Writes a spend limit as JSON, with its amount as text, since JSON.parse would round a long number. */
export const writeSpendLimit = ({ limit, window, timezone, models }: SpendLimit): string =>
  JSON.stringify({ limit: String(limit), window, timezone, models });

/** Reads the parsed JSON of {@link writeSpendLimit}. Throws a TypeError for another value. */
export function readSpendLimit(stored: unknown): SpendLimit {
  const { limit, window, timezone, models } = members(stored);
  const isZone = timezone === undefined || typeof timezone === "string";
  const isList = models === undefined || isTexts(models);
  if (typeof limit === "string" && /^\d+$/.test(limit) && isWindow(window) && isZone && isList) {
    return {
      limit: BigInt(limit),
      window,
      ...(timezone === undefined ? {} : { timezone }),
      ...(models === undefined ? {} : { models }),
    };
  }
  throw new TypeError("A stored spend limit has an unexpected shape. Correct the row, or set the limit again.");
}

/** The columns of a spend limit in a SQL store. */
interface SpendRow {
  text(column: string): string;
  optionalText(column: string): string | undefined;
  integer(column: string): bigint;
}

/**
 * Reads a spend limit from the columns `spend_limit` and `spend_models`, which has JSON, and the columns of the window and the
 * time zone. Throws a TypeError for values that are not those of a limit.
 */
export function readSpendColumns(row: SpendRow, window: string, timezone: string): SpendLimit {
  const models = row.optionalText("spend_models");
  return readSpendLimit({
    limit: String(row.integer("spend_limit")),
    window: row.text(window),
    timezone: row.optionalText(timezone),
    models: models === undefined ? undefined : JSON.parse(models),
  });
}

const isTexts = (stored: unknown): stored is readonly string[] =>
  Array.isArray(stored) && stored.every((each) => typeof each === "string");

const isWindow = (stored: unknown): stored is SpendWindow => spendWindows.some((window) => window === stored);

const members = (stored: unknown): Readonly<Record<string, unknown>> => ({ ...Object(stored) });
