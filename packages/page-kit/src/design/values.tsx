import { currency } from "../state/currency.ts";
import { amountText } from "./figures.ts";

/** An amount, a decimal string, in the host's currency; a dash for null. The title has every digit. */
export function Money({ amount, exact = false }: { readonly amount: string | null; readonly exact?: boolean }) {
  if (amount === null) return <span class="muted">–</span>;
  return (
    <span class="figure" title={amountText(amount, currency.value, { exact: true })}>
      {amountText(amount, currency.value, { exact })}
    </span>
  );
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const thisYear = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** A time of ISO 8601 in the viewer's zone, with UTC in the title; a dash for null. */
export function Time({ at, dayOnly = false }: { readonly at: string | null; readonly dayOnly?: boolean }) {
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
