import {
  addRow,
  noUsage,
  startOfBucket,
  type TotalKind,
  toStorableText,
  totalKinds,
  type UsageRow,
  type UsageSum,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Command } from "./statement.ts";
import { sums, sumValues } from "./usage-columns.ts";
import { kindName } from "./usage-conditions.ts";

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

  constructor(connection: Connection) {
    const columns = sums.map(({ column }) => column);
    this.#add = connection.command(
      `INSERT INTO tollgate_usage_total (kind, start, name, ${columns.join(", ")})
       VALUES (?, ?, ?, ${columns.map(() => "?").join(", ")})
       ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
    );
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
      const name = toStorableText(nameOf(row, kind));
      const id = `${kindName(kind)} ${start} ${name}`;
      const total = totals.get(id) ?? { kind: kindName(kind), start, name, sum: noUsage() };
      totals.set(id, total);
      addRow(total.sum, row);
    }
  }
  return totals.values();
}

function nameOf({ model, account, keyId }: UsageRow, { dimension }: TotalKind): string {
  if (dimension === "model") return model ?? "";
  return dimension === "account" ? account : keyId;
}
