import type { EntryQuery } from "@tollgate/core/store";
import type { Tables } from "../schema.ts";
import { Values } from "../usage-conditions.ts";
import { selectReceipt } from "./receipt.ts";
import { millisecondsOf } from "./times.ts";

/**
 * Returns the statement for the entries of a query, at most `rowLimit`, with its values. A reader misses no entry: a writer
 * locks the account before it adds one, so the sequences of one account rise in the order in which they become visible.
 */
export function entriesStatement({ entry }: Tables, query: EntryQuery, rowLimit: number) {
  const { newestFirst = false } = query;
  const values = new Values();
  const account = `account_id = ${values.add(query.account)}`;
  const limit = `${values.add(rowLimit)}::bigint`;
  const conditions = [...selected(values, query), ...within(values, query)];
  const text = `
SELECT ${entryColumns}
  FROM ${entry} AS entry WHERE ${[account, ...conditions.map((condition) => condition(entry))].join(" AND ")}
 -- Qualified, because the bare name refers to the text column above.
 ORDER BY entry.sequence ${newestFirst ? "DESC" : "ASC"} LIMIT ${limit}`;
  return { text, values: values.list };
}

const entryColumns = `sequence::text AS sequence, CASE kind WHEN 'allowance' THEN 'credit' ELSE kind END AS kind, amount::text AS amount,
       reference, reason, ${millisecondsOf("at")} AS at, lots::text AS lots, ${selectReceipt}`;

/** The greatest sequence number that a transaction has taken, whether it has ended or not. 0: none. */
export const takenSequenceStatement = ({ entry }: Tables): string =>
  `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${entry}', 'sequence')::regclass), 0)::text AS taken`;

/** The number of this transaction, and the least one that is running. A number is greater than all that were given before. */
export const newTransactionStatement = (): string =>
  "SELECT pg_current_xact_id()::text AS own, pg_snapshot_xmin(pg_current_snapshot())::text AS running";

/** The least number of a running transaction. */
export const runningTransactionStatement = (): string =>
  "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS running";

/** The entries of all accounts after the sequence number $1 and up to $2, at most $3. */
export const feedStatement = ({ entry }: Tables): string => `
SELECT account_id, ${entryColumns}
  FROM ${entry} AS entry WHERE entry.sequence > $1::bigint AND entry.sequence <= $2::bigint AND amount <> 0
 ORDER BY entry.sequence LIMIT $3::bigint`;

/** A condition over the table of entries. */
type Condition = (entry: string) => string;

function selected(values: Values, query: EntryQuery): Condition[] {
  const { after, reference, answerId, kind, newestFirst = false } = query;
  // A debit of paid money that found none has no entry for readers.
  const conditions: string[] = ["amount <> 0"];
  if (after !== undefined) {
    conditions.push(`entry.sequence ${newestFirst ? "<" : ">"} ${values.add(String(after))}::bigint`);
  }
  if (reference !== undefined) conditions.push(ofReference(values.add(reference)));
  if (answerId !== undefined) conditions.push(`answer_id = ${values.add(answerId)}`);
  if (kind !== undefined) conditions.push(`kind IN (${values.add(kind)}${kind === "credit" ? ", 'allowance'" : ""})`);
  // The index of all kinds but charges is used only for a query that excludes them in its text.
  if (kind !== undefined && kind !== "charge") conditions.push("kind <> 'charge'");
  return conditions.map((condition) => () => condition);
}

/** Through the three indexes that each have one part of the kinds. */
const ofReference = (reference: string): string =>
  `(reference = ${reference} AND kind IN ('credit', 'debit') OR reference = ${reference} AND kind IN ('charge', 'expiry', 'late')
    OR account_id = $1 AND reference = ${reference} AND kind IN ('refund', 'lapse', 'allowance'))`;

/**
 * Sequences rise with time, except where a clock was set back. So the sequences are bounded too, through the index of times
 * and an hour wider than the period, and a page reads only entries of about the period.
 */
function within(values: Values, { from, to }: EntryQuery): Condition[] {
  const around = (entry: string, condition: string, order: string) =>
    `(SELECT sequence FROM ${entry} WHERE account_id = $1 AND ${condition} ORDER BY at ${order} LIMIT 1)`;
  const conditions: Condition[] = [];
  if (from !== undefined) {
    const start = values.time(from);
    conditions.push(
      () => `at >= ${start}`,
      (entry) => `entry.sequence >= ${around(entry, `at >= ${start} - interval '1 hour'`, "ASC")}`,
    );
  }
  if (to !== undefined) {
    const end = values.time(to);
    conditions.push(
      () => `at < ${end}`,
      (entry) => `entry.sequence <= ${around(entry, `at < ${end} + interval '1 hour'`, "DESC")}`,
    );
  }
  return conditions;
}
