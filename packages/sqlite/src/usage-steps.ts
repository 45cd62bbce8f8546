import type { Connection } from "./connection.ts";
import type { Condition } from "./filtered-query.ts";
import { nextTurn } from "./lock-queue.ts";
import type { Parameter } from "./parameters.ts";
import type { Query } from "./statement.ts";
import { allOf } from "./usage-conditions.ts";

/**
 * The rows that one statement may read. SQLite runs in the thread of the gateway, so each statement blocks its streams: 2,000
 * rows take a few milliseconds.
 */
export const stepSize = 2_000;

/** Rows of a table within a period. */
export interface Source {
  readonly table: string;
  /** A time in milliseconds since the Unix epoch, and a text. */
  readonly order: readonly [time: string, name: string];
  /** The condition whose rows an index has in this order. */
  readonly indexed: Condition;
  /** The conditions that each row is checked for. */
  readonly others: readonly Condition[];
  /** Included. */
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
}

/** A place in the order of a source. */
type Place = readonly [time: Date, name: string];

/** The SQL that selects the rows of one step of a source, with the parameters of {@link readInSteps}. */
export const stepSql = ({ indexed, others, order }: Source): string => allOf([indexed, rangeOf(order), ...others]).sql;

/**
 * Runs a query on the rows of a source, in steps of {@link stepSize} rows with a turn of the event loop between them, and
 * collects the results. `first` are the parameters before those of {@link stepSql}.
 */
export async function readInSteps<Result>(
  connection: Connection,
  { table, order, indexed, others, from, to }: Source,
  query: Query<Result>,
  first: readonly Parameter[] = [],
): Promise<Result[]> {
  const border = connection.query(
    `SELECT ${order[0]} AS time, ${order[1]} AS name FROM ${table}
     WHERE ${allOf([indexed, rangeOf(order)]).sql} ORDER BY ${order.join(", ")} LIMIT 1 OFFSET ${stepSize}`,
    (row): Place => [row.time("time"), row.text("name")],
  );
  const last: Place = [to, ""];
  const checked = others.flatMap(({ values }) => values);
  const results: Result[] = [];
  for (let start: Place = [from, ""]; ; ) {
    const end = await connection.read(() => {
      const next = border.first(...indexed.values, ...start, ...last);
      results.push(...query.all(...first, ...indexed.values, ...start, ...(next ?? last), ...checked));
      return next;
    });
    await nextTurn();
    if (end === undefined) return results;
    start = end;
  }
}

const rangeOf = (order: readonly string[]): Condition => ({
  sql: `(${order.join(", ")}) >= (?, ?) AND (${order.join(", ")}) < (?, ?)`,
  values: [],
});
