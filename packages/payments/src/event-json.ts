import type { PaymentEvent } from "./payment-event.ts";

/** Writes an event as JSON, with amounts as `{"integer": "..."}` and dates as `{"time": milliseconds}`. */
export const writeEvent = (event: PaymentEvent): string =>
  JSON.stringify(event, function (this: Readonly<Record<string, unknown>>, name, value) {
    // A date is already text in the second parameter.
    const original = this[name];
    if (original instanceof Date) return { time: original.getTime() };
    return typeof value === "bigint" ? { integer: String(value) } : value;
  });

/** Reads what {@link writeEvent} wrote. */
export const readEvent = (json: string): PaymentEvent =>
  JSON.parse(json, (_name, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (typeof value.integer === "string") return BigInt(value.integer);
    return typeof value.time === "number" ? new Date(value.time) : value;
  });
