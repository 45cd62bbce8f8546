import { kindName } from "@tollgate/core/internal";
import {
  addRow,
  dimensionOf,
  noUsage,
  prunedKinds,
  startOfBucket,
  toStorableText,
  totalKinds,
  type UsageRow,
  type UsageSum,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Command } from "./statement.ts";
import { sums, sumValues } from "./usage-columns.ts";

/** Totals of a kind that one call of `prune` removes. */
const pruneLimit = 1_000;

interface Total {
  readonly kind: string;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  /** "" for requests without a value. */
  readonly name: string;
  readonly sum: UsageSum;
}

/** The rows of tollgate_usage_total. */
export class UsageTotalRows {
  readonly #add: Command;
  readonly #prune: Command;

  constructor(connection: Connection) {
    const columns = sums.map(({ column }) => column);
    this.#add = connection.command(
      `INSERT INTO tollgate_usage_total (kind, start, name, ${columns.join(", ")})
       VALUES (?, ?, ?, ${columns.map(() => "?").join(", ")})
       ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
    );
    this.#prune = connection.command(
      `DELETE FROM tollgate_usage_total WHERE kind = ? AND (start, name) IN (
         SELECT start, name FROM tollgate_usage_total WHERE kind = ? AND start < ? ORDER BY start LIMIT ${pruneLimit})`,
    );
  }

  /** Removes totals of hours that ended before a time, of the kinds that are not kept. Returns how many. */
  prune(before: Date): number {
    const hour = startOfBucket("hour", before.getTime());
    return prunedKinds.reduce((sum, kind) => sum + this.#prune.run(kindName(kind), kindName(kind), hour), 0);
  }

  /** Adds new rows to their totals. */
  add(rows: readonly UsageRow[]): void {
    for (const { kind, start, name, sum } of totalsOf(rows)) {
      this.#add.run(kind, start, name, ...sumValues(sum));
    }
  }
}

/** Sums up rows, so that each total is changed once for many rows. */
function totalsOf(rows: readonly UsageRow[]): Iterable<Total> {
  const totals = new Map<string, Total>();
  for (const row of rows) {
    for (const kind of totalKinds) {
      const start = startOfBucket(kind.grain, row.at.getTime());
      const name = toStorableText(dimensionOf(row, kind.dimension) ?? "");
      const id = `${kindName(kind)} ${start} ${name}`;
      const total = totals.get(id) ?? { kind: kindName(kind), start, name, sum: noUsage() };
      totals.set(id, total);
      addRow(total.sum, row);
    }
  }
  return totals.values();
}
