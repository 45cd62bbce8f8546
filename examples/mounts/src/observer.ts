import type { GatewayEvent } from "@tollgate/core";

/** Writes one JSON line per event. Amounts (bigint) and errors are written as strings. */
export function logEvent(event: GatewayEvent): void {
  console.log(JSON.stringify(event, (_name, value) => (isPlain(value) ? value : String(value))));
}

const isPlain = (value: unknown): boolean => typeof value !== "bigint" && !(value instanceof Error);
