import type { ChatMessage } from "@tollgate/core/provider";

/** Tells whether a parsed JSON value is a message. */
export const isMessage = (value: unknown): value is ChatMessage => isRecord(value) && typeof value["role"] === "string";

/**
 * Tells whether a parsed JSON value is a string. Strings are stored as JSON because SQLite would change some of them.
 */
export const isText = (value: unknown): value is string => typeof value === "string";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
