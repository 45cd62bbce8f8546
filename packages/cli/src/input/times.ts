import ms from "ms";
import { misread, type Reader } from "./text.ts";

const maxDurationMs = ms("100y");
const timestamp = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a duration such as 30m, 24h or 7d and returns milliseconds. 0 needs no unit. */
export const readDuration =
  (name: string): Reader<number> =>
  (text) => {
    const milliseconds = durationOf(text);
    if (milliseconds !== undefined) return milliseconds;
    throw misread(name, text, "write a duration such as 30m, 24h or 7d, at most 100y");
  };

/** Reads a time in the future: a date (its start in UTC), a timestamp with a time zone, or a duration from now. */
export const readFutureTime =
  (name: string): Reader<Date> =>
  (text) => {
    const now = Date.now();
    const duration = durationOf(text);
    const time = duration === undefined ? dateOf(text) : new Date(now + duration);
    if (time !== undefined && time.getTime() > now) return time;
    throw misread(
      name,
      text,
      "write a date in the future, such as 2127-01-01 or 2127-01-01T09:00:00Z, or a duration such as 30d",
    );
  };

function durationOf(text: string): number | undefined {
  if (text === "0") return 0;
  const milliseconds = isDuration(text) ? Math.round(ms(text)) : Number.NaN;
  return milliseconds <= maxDurationMs ? milliseconds : undefined;
}

/** The library reads a number without a unit as milliseconds, which is never what an operator means. */
const isDuration = (text: string): text is ms.StringValue => /^[\d.]{1,15} ?[a-z]{1,12}$/i.test(text);

/** Parses a date. Returns undefined for one that does not exist, such as 30 February. */
function dateOf(text: string): Date | undefined {
  const day = timestamp.exec(text)?.[1];
  const date = new Date(text);
  if (day === undefined || Number.isNaN(date.getTime())) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? date : undefined;
}

/** Reads a time: a date (its start in UTC), a timestamp with a time zone, or a duration ago. */
export const readPastTime =
  (name: string): Reader<Date> =>
  (text) => {
    const duration = durationOf(text);
    const time = duration === undefined ? dateOf(text) : new Date(Date.now() - duration);
    if (time !== undefined) return time;
    throw misread(name, text, "write a date such as 2026-01-01 or 2026-01-01T09:00:00Z, or a duration ago such as 7d");
  };
