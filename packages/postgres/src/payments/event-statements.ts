import type { Tables } from "../schema.ts";
import { now } from "../statements/sessions.ts";
import { millisecondsOf } from "../statements/times.ts";

const columns = `event, ${millisecondsOf("since")} AS since`;

/** Keeps an event, once: $1 provider, $2 id, $3 payment or null, $4 reference or null, $5 the event as JSON. */
export const keepEventStatement = ({ paymentEvent }: Tables): string =>
  `INSERT INTO ${paymentEvent} (provider, id, payment, reference, since, event) VALUES ($1, $2, $3, $4, ${now}, $5)
       ON CONFLICT (provider, id) DO NOTHING`;

/** Removes the event $2 of the provider $1. */
export const removeEventStatement = ({ paymentEvent }: Tables): string =>
  `DELETE FROM ${paymentEvent} WHERE provider = $1 AND id = $2`;

/** Selects the events of the payment $1, which the provider $2 calls $3 (null: nothing yet). */
export const eventsOfPaymentStatement = ({ paymentEvent }: Tables): string =>
  `SELECT ${columns} FROM ${paymentEvent} WHERE payment = $1 OR (provider = $2 AND reference = $3) ORDER BY sequence`;

/** Selects the $1 events that came first. */
export const oldestEventsStatement = ({ paymentEvent }: Tables): string =>
  `SELECT ${columns} FROM ${paymentEvent} ORDER BY sequence LIMIT $1::bigint`;
