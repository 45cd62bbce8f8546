import type { PaymentQuery } from "@tollgate/payments/store";
import { forgottenColumns, paymentColumns } from "@tollgate/payments/store";
import type { Statement, Tables } from "../schema.ts";
import { now } from "../statements/sessions.ts";
import { millisecondsOf } from "../statements/times.ts";
import { Values } from "../usage-conditions.ts";
import { namesOf, parametersOf, replacing, selected } from "./columns.ts";

const columns = selected(paymentColumns, "payment");
// Qualified, because a bare name refers to the text column.
const oldestFirst = "ORDER BY payment.created_at, payment.id";
const newestFirst = "ORDER BY payment.created_at DESC, payment.id DESC";

/** Locks the beginnings of payments of account $1 until the transaction ends. Returns the time, `now`. */
export const lockBeginningsStatement = ({ schema }: Tables): string =>
  `SELECT pg_advisory_xact_lock(hashtextextended('tollgate payments in ${schema} of ' || $1, 0))::text AS locked,
          ${millisecondsOf(now)} AS now`;

/**
 * Locks the payment $2 of the provider $1 until the transaction ends, also if it is not known. So no event begins to wait for a
 * payment while another transaction makes it known.
 */
export const lockReferenceStatement = ({ schema }: Tables): string =>
  `SELECT pg_advisory_xact_lock(hashtextextended('tollgate payment in ${schema} ' || $1 || ' ' || $2, 0))::text AS locked`;

/** Selects the payment $1. */
export const findPaymentStatement = ({ payment }: Tables): string =>
  `SELECT ${columns} FROM ${payment} AS payment WHERE payment.id = $1`;

/** Selects the payment that the provider $1 calls $2. */
export const findByReferenceStatement = ({ payment }: Tables): string =>
  `SELECT ${columns} FROM ${payment} AS payment WHERE payment.provider = $1 AND payment.reference = $2 ${oldestFirst} LIMIT 1`;

/** Selects the payment $1, and locks it until the transaction ends. */
export const lockPaymentStatement: Statement = (tables) => `${findPaymentStatement(tables)} FOR UPDATE`;

/** Selects the payment that the provider $1 calls $2, and locks it until the transaction ends. */
export const lockByReferenceStatement: Statement = (tables) => `${findByReferenceStatement(tables)} FOR UPDATE`;

/** Selects the payments of account $1 that are pending, open or processing, oldest first. */
export const unfinishedPaymentsStatement = ({ payment }: Tables): string =>
  `SELECT ${columns} FROM ${payment} AS payment
    WHERE payment.account = $1 AND payment.state IN ('pending', 'open', 'processing') ${oldestFirst}`;

/** Selects the newest payment of account $1 whose method the provider has kept. */
export const newestWithMethodStatement = ({ payment }: Tables): string =>
  `SELECT ${columns} FROM ${payment} AS payment
    WHERE payment.account = $1 AND payment.method IS NOT NULL ${newestFirst} LIMIT 1`;

/** Adds a payment. The parameters are its columns. */
export const addPaymentStatement = ({ payment }: Tables): string =>
  `INSERT INTO ${payment} (${namesOf(paymentColumns)}) VALUES (${parametersOf(paymentColumns)})`;

/** Replaces a payment by that of the same id. The parameters are its columns. */
export const writePaymentStatement: Statement = (tables) =>
  `${addPaymentStatement(tables)} ON CONFLICT (id) DO UPDATE SET ${replacing(paymentColumns)}`;

/** Removes the problem of payment $1. */
export const resolvePaymentStatement = ({ payment }: Tables): string =>
  `UPDATE ${payment} SET problem = NULL WHERE id = $1`;

/** Empties the columns of the payments of account $1 that are forgotten. Returns a row for each payment that had one of them. */
export const forgetPaymentsStatement = ({ payment }: Tables): string =>
  `UPDATE ${payment} SET ${forgottenColumns.map((name) => `${name} = NULL`).join(", ")}
    WHERE account = $1 AND (${forgottenColumns.map((name) => `${name} IS NOT NULL`).join(" OR ")}) RETURNING id`;

/** Returns the statement for the payments of a query, at most `rowLimit`, with its values. */
export function listPaymentsStatement({ payment }: Tables, query: PaymentQuery, rowLimit: number) {
  const { account, state, problem, from, to, after } = query;
  const values = new Values();
  const conditions = [
    "TRUE",
    ...(account === undefined ? [] : [`payment.account = ${values.add(account)}`]),
    ...(state === undefined ? [] : [`payment.state = ${values.add(state)}`]),
    ...(problem === undefined ? [] : ["payment.problem IS NOT NULL"]),
    ...(from === undefined ? [] : [`payment.created_at >= ${values.time(from)}`]),
    ...(to === undefined ? [] : [`payment.created_at < ${values.time(to)}`]),
    ...(after === undefined ? [] : [isBefore(payment, values.add(after))]),
  ];
  const text = `SELECT ${columns} FROM ${payment} AS payment
 WHERE ${conditions.join(" AND ")} ${newestFirst} LIMIT ${values.add(rowLimit)}::bigint`;
  return { text, values: values.list };
}

const isBefore = (payment: string, id: string): string =>
  `(payment.created_at, payment.id) < (SELECT last.created_at, last.id FROM ${payment} AS last WHERE last.id = ${id})`;
