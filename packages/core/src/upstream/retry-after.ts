const maxSeconds = 31_536_000;

/**
 * Reads the delay of a response head in whole seconds: `retry-after-ms`, or `retry-after` as seconds or a date
 * (RFC 9110, section 10.2.3). A date is compared with the `date` header where there is one.
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
  // Date.parse reads "-5" as a year. An HTTP date begins with the name of a day.
  if (date === undefined || !/^[A-Z][a-z]{2}/.test(date)) return Number.NaN;
  const upstreamNow = Date.parse(now ?? "");
  return (Date.parse(date) - (Number.isNaN(upstreamNow) ? Date.now() : upstreamNow)) / 1000;
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function wholeSeconds(seconds: number | undefined): number | undefined {
  if (seconds === undefined || Number.isNaN(seconds) || seconds > maxSeconds) return undefined;
  return Math.max(0, Math.ceil(seconds));
}
