import type { SpendLimit, SpendWindow } from "./spend-limit.ts";

const windows: Readonly<Record<SpendWindow, true>> = { day: true, week: true, month: true, total: true };

/** Writes a spend limit as JSON, with its amount as text, since JSON.parse would round a long number. */
export const writeSpendLimit = ({ limit, window, timezone }: SpendLimit): string =>
  JSON.stringify({ limit: String(limit), window, timezone });

/** Reads the parsed JSON of {@link writeSpendLimit}. Throws a TypeError for another value. */
export function readSpendLimit(stored: unknown): SpendLimit {
  const { limit, window, timezone } = members(stored);
  if (typeof limit === "string" && /^\d+$/.test(limit) && isWindow(window)) {
    if (timezone === undefined) return { limit: BigInt(limit), window };
    if (typeof timezone === "string") return { limit: BigInt(limit), window, timezone };
  }
  throw new TypeError("A stored spend limit has an unexpected shape. Correct the row, or set the limit again.");
}

const isWindow = (stored: unknown): stored is SpendWindow =>
  typeof stored === "string" && Object.hasOwn(windows, stored);

const members = (stored: unknown): Readonly<Record<string, unknown>> => ({ ...Object(stored) });
