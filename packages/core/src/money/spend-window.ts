import type { SpendLimit } from "../ports/spend-limit.ts";

/** A window of a spend limit, in milliseconds since the Unix epoch. The window "total" starts at 0 and has no end. */
export interface WindowBounds {
  readonly startsAt: number;
  /** The start of the next window. */
  readonly resetsAt?: number;
}

const total: WindowBounds = Object.freeze({ startsAt: 0 });
const current = new Map<string, Required<WindowBounds>>();

/** Returns the window of a limit at a moment. A day begins with its first instant, also where midnight is skipped. */
export function spendWindowAt({ window, timezone = "UTC" }: Omit<SpendLimit, "limit">, now: number): WindowBounds {
  if (window === "total") return total;
  const name = `${window} ${timezone}`;
  const cached = current.get(name);
  if (cached !== undefined && cached.startsAt <= now && now < cached.resetsAt) return cached;
  const dateAt = calendarOf(timezone);
  const today = dateAt(now);
  const first = firstDay(window, today);
  const bounds = {
    startsAt: startOfDay(dateAt, first),
    resetsAt: startOfDay(dateAt, nextFirstDay(window, first)),
  };
  current.set(name, bounds);
  return bounds;
}

/** A local date, as the milliseconds of its midnight in UTC. */
type LocalDate = number;

const dayMs = 86_400_000;

function calendarOf(timeZone: string): (at: number) => LocalDate {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day"));
  };
}

function firstDay(window: "day" | "week" | "month", today: LocalDate): LocalDate {
  if (window === "day") return today;
  const date = new Date(today);
  // Sunday is 0.
  if (window === "week") return today - ((date.getUTCDay() + 6) % 7) * dayMs;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function nextFirstDay(window: "day" | "week" | "month", first: LocalDate): LocalDate {
  if (window !== "month") return first + (window === "day" ? 1 : 7) * dayMs;
  const date = new Date(first);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Finds the first instant of a local date by bisection. Zones are less than a day from UTC. */
function startOfDay(dateAt: (at: number) => LocalDate, date: LocalDate): number {
  let [before, after] = [date - dayMs, date + dayMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateAt(middle) < date) before = middle;
    else after = middle;
  }
  return after;
}
