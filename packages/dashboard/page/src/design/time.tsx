const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const thisYear = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

interface TimeProps {
  /** ISO 8601; a dash for null. */
  readonly at: string | null;
  readonly dayOnly?: boolean;
}

/** A time in the viewer's zone, with UTC in the title. */
export function Time({ at, dayOnly = false }: TimeProps) {
  if (at === null) return <span class="muted">–</span>;
  const date = new Date(at);
  return (
    <time class="figure" dateTime={at} title={utcText(date)}>
      {formatOf(date, dayOnly).format(date)}
    </time>
  );
}

/** The year is left out when it is the present one. */
function formatOf(date: Date, dayOnly: boolean): Intl.DateTimeFormat {
  if (dayOnly) return day;
  return date.getFullYear() === new Date().getFullYear() ? thisYear : full;
}

const utcText = (date: Date): string => `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
