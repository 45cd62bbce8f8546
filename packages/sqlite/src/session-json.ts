import type { ChatMessage } from "@tollgate/core/provider";

/** True for a message that came out of JSON text. */
export const isMessage = (kept: unknown): kept is ChatMessage => isRecord(kept) && typeof kept["role"] === "string";

/** True for a text that came out of JSON text, which holds every string, also those that SQLite would change. */
export const isText = (kept: unknown): kept is string => typeof kept === "string";

function isRecord(kept: unknown): kept is Readonly<Record<string, unknown>> {
  return typeof kept === "object" && kept !== null && !Array.isArray(kept);
}
