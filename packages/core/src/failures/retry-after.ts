const longestWaitSeconds = 31_536_000;

/**
 * The wait that a head asks for, in whole seconds: `retry-after-ms`, or `retry-after` as seconds or as a date
 * (RFC 9110, section 10.2.3), which is read against the upstream's own clock when it tells it.
 */
export function readRetryAfter(header: (name: string) => string | undefined): number | undefined {
  const milliseconds = readNumber(header("retry-after-ms"));
  if (milliseconds !== undefined) return wholeSeconds(milliseconds / 1000);
  const value = header("retry-after");
  return wholeSeconds(readNumber(value) ?? secondsUntil(value, header("date")));
}

/** Reads a duration of Google's RetryInfo: "34s" or "0.5s". */
export function readDuration(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? /^(\d{1,10}(?:\.\d{1,9})?)s$/.exec(value)?.[1] : undefined;
  return wholeSeconds(readNumber(seconds));
}

function secondsUntil(date: string | undefined, now: string | undefined): number {
  // Date.parse takes "-5" for a year; an HTTP date begins with the name of a day.
  if (date === undefined || !/^[A-Z][a-z]{2}/.test(date)) return Number.NaN;
  const upstreamNow = Date.parse(now ?? "");
  return (Date.parse(date) - (Number.isNaN(upstreamNow) ? Date.now() : upstreamNow)) / 1000;
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function wholeSeconds(seconds: number | undefined): number | undefined {
  if (seconds === undefined || Number.isNaN(seconds) || seconds > longestWaitSeconds) return undefined;
  return Math.max(0, Math.ceil(seconds));
}
