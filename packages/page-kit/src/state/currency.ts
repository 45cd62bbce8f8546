import { type Signal, signal } from "@preact/signals";

/** The currency of all amounts; null if the host did not name it. */
export const currency: Signal<string | null> = signal(null);

/** Adds the currency to the label of an amount. */
export const amountLabel = (label: string): string =>
  currency.value === null ? label : `${label} (${currency.value})`;
